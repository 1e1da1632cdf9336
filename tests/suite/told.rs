//! Promise: the numbers in a text for people are those of its document, or those that are computed a second way.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::PUZZLE;
use crate::common::runs::{
    Folder, LONGEST, command, ended, output, shell_code, signal, status_of, wait_until, watched,
};
use serde_json::Value;
use tallyboard_base::figures::{about, core_estimate, core_time, counted, grouped, percent};
use tallyboard_base::random::Random;
use tallyboard_queens::{Board, Count, Engine};
use tallyboard_search::Problem;
use tallyboard_search::shard::deal;

fn json(text: impl AsRef<[u8]>) -> Value {
    serde_json::from_slice(text.as_ref()).unwrap()
}

/// Forecast and balance of a plan: of the whole, of a shard, and how uneven the shards are.
#[test]
fn a_plan_tells_what_it_holds() {
    let folder = Folder::new();
    let shards = 7;
    let words = format!("cluster plan queens 12 --engine textbook --shards {shards} -o plan");
    let text = folder.said(&words);
    let plan = json(folder.bytes("plan"));
    let hours = &plan["content"]["forecast"]["core_hours"];
    let [value, low, high] =
        ["estimate", "low", "high"].map(|key| hours[key].as_f64().unwrap() * 3600.0);
    assert!(low <= value && value <= high && (low == value) == (value == high), "{hours}");
    let whole = core_estimate(value, low, high);
    let one = core_time(value / f64::from(shards));
    let expected = format!("expected: {whole} in all, {one} a shard, on cores like this one");
    assert!(text.contains(&expected), "{text}, expected {expected}");
    let settings = tallyboard_queens::Settings::new().engine(Engine::Textbook);
    let costs = Count::with(Board::new(12).unwrap(), settings).unwrap().split();
    let sums = deal(&costs, shards as usize).into_iter();
    let sums: Vec<u64> = sums.map(|ids| ids.iter().map(|&id| costs.each()[id]).sum()).collect();
    let mean = sums.iter().sum::<u64>() as f64 / f64::from(shards);
    let more = percent(*sums.iter().max().unwrap() as f64 / mean - 1.0);
    assert!(text.contains(&format!("the longest shard costs {more} more than")), "{text}, {more}");
}

/// All subtrees were counted for the forecast, by one thread: that took no longer than the program ran.
#[test]
fn the_hours_of_a_plan_are_no_more_than_its_count_took() {
    let here = Folder::new();
    let began = Instant::now();
    here.succeed("-q cluster plan queens 13 --engine textbook --shards 1 -o plan -j 1");
    let elapsed = began.elapsed().as_secs_f64();
    let forecast = &json(here.bytes("plan"))["content"]["forecast"];
    let [low, hours] = ["low", "estimate"].map(|key| forecast["core_hours"][key].as_f64().unwrap());
    assert_eq!(low, hours, "every subtree is counted");
    assert!(0.0 < hours && hours * 3600.0 <= elapsed, "{hours} hours, {elapsed} s");
}

/// One shard is done, one has begun, two wait: all four numbers differ from each other.
#[test]
fn a_status_tells_what_its_document_does() {
    let here = Folder::new();
    here.succeed("cluster plan queens 17 --engine textbook --shards 40 -o plan");
    here.succeed("cluster run plan --shard 4 -o results");
    // No journal tells a pace: the forecast does, of what is not done.
    let status = here.json("cluster status plan results --json");
    let plan = json(here.bytes("plan"));
    let hours = &plan["content"]["forecast"]["core_hours"];
    let [low, hours, high] = ["low", "estimate", "high"].map(|key| hours[key].as_f64().unwrap());
    assert!(low < hours && hours < high, "{plan}");
    let left = status["thread_seconds_left"].as_f64().unwrap();
    assert!((left / (hours * 3600.0 * 39.0 / 40.0) - 1.0).abs() < 1e-9, "{left} of {hours} hours");
    here.prints("cluster status plan results", "left by the plan's forecast");
    for shard in [2, 3] {
        let mut child = here.start(&format!("cluster run plan --shard {shard} -o results -j 1"));
        let journal = format!("results/shard-{shard:05}.journal");
        wait_until("a subtree is saved", || here.saved(&journal) > 0);
        child.kill().unwrap();
        status_of(&mut child);
    }
    let status = here.json("cluster status plan results --json");
    here.prints("cluster status plan results", "left at the pace until now");
    let begun = status["begun"].as_array().unwrap();
    assert_eq!((&status["done"], begun.len()), (&1.into(), 2), "{status}");
    let text = here.prints(
        "cluster status plan results",
        ["1 of 40 shards done, 2 begun, 37 waiting\n", "waiting: 0-1,5-39\n"],
    );
    for shard in begun {
        let share = percent(shard["share"].as_f64().unwrap());
        assert!(text.contains(&format!("shard {}: {share}\n", shard["shard"])), "{text}");
    }
    let share = percent(status["share"].as_f64().unwrap());
    assert!(text.contains(&format!("\n{share} of the work, ")), "{text}, {share}");
}

/// All subtrees counted again are all of the work, in the words of the game.
#[test]
fn a_merge_tells_what_was_merged() {
    let here = Folder::new();
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/langford-12.txt");
    fs::copy(gallery, here.at("puzzle")).unwrap();
    here.succeed("-q cluster plan cover puzzle --shards 2 -o plan");
    here.run_shards("plan", [0, 1], "results");
    let merged = here.json("cluster merge plan results --recount 1000000 --json");
    let text = here.succeed("cluster merge plan results --recount 1000000");
    let subtrees = counted(merged["subtrees"].as_u64().unwrap(), "subtree");
    assert!(text.contains(": 108,144 covers\n"), "{text}");
    assert!(text.contains(&format!("2 shards, {subtrees}, each counted once")), "{text}");
    assert!(text.contains(&format!("{subtrees} (100.00 % of the work) counted again")), "{text}");
    assert_eq!(merged["recounted"]["share"], 1.0, "{merged}");
}

/// By a seed and a number of draws, document and text are of the same sample.
#[test]
fn a_sample_tells_what_its_document_does() {
    let folder = Folder::new();
    let sample = "queens estimate 15 --engine blocks --subtrees 60 --seed 3";
    let document = folder.json(&format!("{sample} --json"));
    let text = folder.succeed(sample);
    let total = &document["solutions"];
    let [value, low, high] = ["estimate", "low", "high"].map(|key| total[key].as_f64().unwrap());
    assert!((value - low - (high - value)).abs() < 1e-6 * value, "{total}");
    let [low, high] = [low, high].map(|end| about(end.log10()));
    let share = percent(total["high"].as_f64().unwrap() / value - 1.0);
    assert!(text.contains(&format!("95 % interval {low} to {high} (± {share})\n")), "{text}");
    assert!(text.contains(&format!("about {} solutions", about(value.log10()))), "{text}");
    let [known, error] =
        [&document["known"], &total["standard_error"]].map(|it| it.as_f64().unwrap());
    let z = (known - value) / error;
    assert!(z != 0.0 && (document["z"].as_f64().unwrap() / z - 1.0).abs() < 1e-9, "{document}");
    assert!(text.contains(&format!(", {:.1} standard errors away\n", z.abs())), "{text}, {z}");
    // One thread cannot have been busy for longer than the program ran.
    let began = Instant::now();
    let rows = folder.succeed(&format!("{sample} -j 1 --csv"));
    let elapsed = began.elapsed().as_secs_f64();
    let seconds = rows.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
    let busy: f64 = seconds.map(|text| text.parse::<f64>().unwrap()).sum();
    assert!(0.0 < busy && busy <= elapsed, "{busy} of {elapsed}");
    // Another seed draws other subtrees.
    let other = folder.succeed(&sample.replace("--seed 3", "--seed 4"));
    assert_ne!(text.lines().next(), other.lines().next());
}

/// One damaged record, and as many saved ones as the journal has.
#[test]
fn what_is_told_of_a_journal_is_what_it_holds() {
    let here = Folder::new();
    let journal = here.at("j");
    let child = here.start("queens count 17 --engine textbook -j 1 --journal j");
    wait_until("two subtrees are saved", || here.saved("j") >= 2);
    signal(&child, "TERM");
    let message = ended(child).2;
    let contents = tallyboard_search::journal::read(&journal).unwrap();
    let saved = contents.records.len();
    let all = contents.header.subtrees;
    assert_ne!(2 * saved as u64, all as u64);
    assert!(
        message.contains(&format!("interrupted; {saved} of {} subtrees saved", grouped(all))),
        "{message}"
    );
    let rows = here.succeed("show j --csv");
    assert_eq!(rows.lines().count(), saved + 1);
    let mut bytes = fs::read(&journal).unwrap();
    let at = bytes.len() - 60;
    bytes[at] ^= 1;
    fs::write(&journal, bytes).unwrap();
    here.prints(
        "show j",
        [
            "\ndamaged records 1: counted again",
            &format!(": {} of {} subtrees\n", saved - 1, grouped(all)),
        ],
    );
}

/// A bar is as full as the percentage behind it says.
#[test]
#[cfg(target_os = "linux")]
fn a_bar_is_as_full_as_it_says() {
    use std::io::Read;

    let ends = nix::pty::openpty(None, None).unwrap();
    let mut command = command("queens estimate 18 --draws --engine textbook --seconds 2s -j 1");
    command.env("TERM", "xterm").stdout(std::process::Stdio::null()).stderr(ends.slave);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut drawn = Vec::new();
    // The terminal reports an error once nobody has it open.
    watched(child.id(), LONGEST, || {
        let _ = fs::File::from(ends.master).read_to_end(&mut drawn);
        child.wait().unwrap();
    });
    let drawn = String::from_utf8_lossy(&drawn);
    let mut compared = 0;
    let mut alike = 0;
    for bar in drawn.split('\r').filter(|line| line.contains(" %, ")) {
        let full = bar.matches('█').count() as f64 / 30.0;
        let before = bar.split(" %, ").next().unwrap();
        let share = before.rsplit([' ', '░']).next().unwrap().parse::<f64>();
        // The bar moves in thirtieths, and at times a moment before or after the number.
        if let Some(share) = share.ok().filter(|share| *share > 12.0) {
            compared += 1;
            alike += usize::from((0.65..1.5).contains(&(full / (share / 100.0))));
        }
    }
    assert!(compared > 0 && 4 * alike > 3 * compared, "{alike} of {compared}: {drawn}");
}

/// Splitting may take seconds, as here. A signal that comes meanwhile ends the command, even if the count has begun since, and the
/// line goes first.
#[test]
#[cfg(target_os = "linux")]
fn splitting_is_shown_and_ends_at_a_signal() {
    expect_splitting("count");
    expect_splitting("estimate");
}

/// Five hundred items and as many options as take seconds to plan.
#[cfg(target_os = "linux")]
fn wide_cover() -> String {
    const ITEMS: usize = 500;
    let mut random = Random::from_seed(1);
    let mut text = String::new();
    for item in 0..ITEMS {
        text += &format!("i{item} ");
    }
    for _ in 0..40_000 {
        text.push('\n');
        let first = random.below(ITEMS as u32) as usize;
        let steps = (0..16).map(|_| 1 + random.below(30) as usize);
        let items = steps.scan(first, |item, step| {
            *item = (*item + step) % ITEMS;
            Some(*item)
        });
        for item in items {
            text += &format!("i{item} ");
        }
    }
    text + "\n"
}

#[cfg(target_os = "linux")]
fn expect_splitting(name: &str) {
    use std::io::Read;

    let ends = nix::pty::openpty(None, None).unwrap();
    let here = Folder::new();
    here.write("wide.dlx", wide_cover());
    let mut command = here.command(&format!("cover {name} wide.dlx"));
    command.env("TERM", "xterm");
    command.stdout(std::process::Stdio::null()).stderr(ends.slave);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut terminal = fs::File::from(ends.master);
    let mut drawn = Vec::new();
    let mut bytes = [0; 256];
    let status = watched(child.id(), Duration::from_secs(30), || {
        while !String::from_utf8_lossy(&drawn).contains("splitting into subtrees, ") {
            let length = terminal.read(&mut bytes).expect("a count that has not ended");
            drawn.extend(&bytes[..length]);
        }
        signal(&child, "INT");
        let _ = terminal.read_to_end(&mut drawn);
        child.wait().unwrap()
    });
    let code = shell_code(status);
    assert_eq!(code, Some(130));
    let drawn = String::from_utf8_lossy(&drawn);
    let end = drawn.rsplit("splitting into subtrees, ").next().unwrap();
    let cleared = end.find("\u{1b}[2K").unwrap_or(end.len());
    assert!(Some(cleared) < end.find("tallyboard: interrupted"), "{drawn:?}");
}

/// A century is the longest time that is taken, in every unit; and it is no shorter.
#[test]
fn times_end_at_a_century() {
    let folder = Folder::new();
    for (time, is_taken) in [
        ("876600h", true),
        ("876601h", false),
        ("52596000m", true),
        ("52596001m", false),
        ("3155760000s", true),
        ("3155760001", false),
        ("3155760000000ms", true),
        ("3155760001000ms", false),
    ] {
        let began = Instant::now();
        let words = format!("queens one 8 --method repair --time-limit {time}");
        folder.fail(&words, if is_taken { 0 } else { 2 });
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}

/// The flag beats the variable; what is no number of threads counts for nothing.
#[test]
fn threads_are_those_asked_for() {
    let threads = |words: &str, variable: Option<&str>| {
        let mut command = command("queens count 8 --json");
        command.args(words.split_whitespace()).envs(variable.map(|it| ("RAYON_NUM_THREADS", it)));
        json(output(&mut command).stdout)["threads"].as_u64().unwrap()
    };
    let usual = threads("", None);
    assert_eq!(threads("", Some("7")), 7);
    assert_eq!(threads("-j 5", Some("7")), 5);
    assert_eq!(threads("-j 0", Some("7")), 7);
    for nothing in ["", "0", "-3", "x", "99999999999999999999"] {
        assert_eq!(threads("", Some(nothing)), usual, "{nothing:?}");
        assert_eq!(threads("-j 5", Some(nothing)), 5, "{nothing:?}");
    }
    // Nor for whatever else names its threads, or divides by their number.
    for nothing in ["", "0"] {
        let mut estimate = command("queens estimate 9 --draws --subtrees 8 --json");
        let report = json(output(estimate.env("RAYON_NUM_THREADS", nothing)).stdout);
        assert_eq!(report["threads"].as_u64(), Some(usual), "{nothing:?}");
        let folder = Folder::new();
        folder.write("puzzles", format!("{PUZZLE}\n").repeat(3));
        let mut solve = folder.command("-q sudoku solve puzzles --columns clues");
        let rows = output(solve.env("RAYON_NUM_THREADS", nothing)).stdout;
        assert_eq!(String::from_utf8(rows).unwrap().lines().count(), 3, "{nothing:?}");
    }
    // Too many are told, unless the flag counts.
    let told = |words: &str| {
        let mut command = command("scale queens 4 -P 1 -r 1 -w 0 --csv");
        command.args(words.split_whitespace()).env("RAYON_NUM_THREADS", "5000");
        String::from_utf8(output(&mut command).stderr).unwrap()
    };
    assert_eq!(told(""), "RAYON_NUM_THREADS=5000: 1024 threads at most\n");
    assert_eq!([told("-q"), told("-j 2")], ["", ""]);
}

/// A page has every board asked for, or there is none.
#[test]
fn a_page_never_has_some_of_the_boards() {
    let folder = Folder::new();
    for (words, is_drawn) in [
        ("list 9", true),
        ("list 10", false),
        ("list 10 --limit 400", true),
        ("list 10 --limit 401", false),
        ("list 10 --skip 324", true),
        ("list 10 --skip 323", false),
        ("list 8 --sample 400", true),
        ("list 8 --sample 401", false),
    ] {
        let (code, _, message) =
            folder.told(&format!("-q queens {words} --format svg -o page.svg"));
        assert_eq!(
            (code, message.contains("a page holds 400 boards")),
            (i32::from(!is_drawn), !is_drawn),
            "{words}"
        );
    }
}

/// A scale goes up to the variable, or else to the processors.
#[test]
fn a_scale_has_the_threads_of_the_variable() {
    let counts = |variable: &str| {
        let mut command = command("scale queens 5 -r 1 -w 0 --csv");
        let output = output(command.env("RAYON_NUM_THREADS", variable));
        let rows = String::from_utf8(output.stdout).unwrap();
        let counts = rows.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned());
        counts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!([counts("1"), counts("3")], ["1", "1 2 3"]);
}

/// In every format of covers that has comments the known count is read from them, and a byte order mark is no text.
#[test]
fn every_format_of_covers_has_its_known_count_and_may_have_a_mark() {
    let folder = Folder::new();
    let formats = [
        ("| count: 1\n", "a b\na\nb\n"),
        ("c count: 1\n", "p ec 2 2\n1\n2\n"),
        ("; count: 1\n", "board:\n..\npieces:\nA:\n##\n"),
        ("", "10\n01\n"),
    ];
    for (comment, text) in formats {
        for mark in ["", "\u{feff}"] {
            folder.write("p", format!("{mark}{comment}{text}"));
            let counted = folder.json("cover count p --json");
            assert_eq!(counted["solutions"], 1, "{mark:?} {comment}{text}");
            if !comment.is_empty() {
                assert_eq!(counted["known"], 1, "{mark:?} {comment}{text}");
                let wrong = comment.replace('1', "2");
                folder.write("p", format!("{mark}{wrong}{text}"));
                let said = folder.said("cover count p");
                assert!(said.contains("WRONG COUNT"), "{mark:?} {wrong}{text}");
            }
        }
    }
}

/// Runs that fail one by one differently: the last one is the last in time.
#[test]
#[cfg(target_os = "linux")]
fn the_exit_code_that_is_told_is_that_of_the_last_run() {
    let folder = Folder::new();
    let mut command = command("scale run -P 1 -w 0 -r 3 -i --json -- sh -c");
    command.arg("echo >> runs; exit $(wc -l < runs); : {threads}").current_dir(folder.path());
    let report = json(output(&mut command).stdout);
    let warnings = report["warnings"].to_string();
    let expected = "3 of 3 runs with 1 thread failed, the last with exit code 3: ";
    assert!(warnings.contains(expected), "{warnings}");
}

/// Two runs of a command that draws: alike by the same seed, and otherwise not.
#[test]
fn each_seed_draws_something_of_its_own() {
    let here = Folder::new();
    here.write("sparse", format!("1{}\n", ".".repeat(80)));
    here.write("rules", "size 6\n");
    for words in [
        "sudoku estimate sparse --probes 50",
        "sudoku generate 1",
        "sudoku shuffle sparse",
        "variant generate rules 1",
        "queens list 6 --sample 9",
        "queens list 20 --sample 2",
        "queens one 30 --method las-vegas",
        "queens one 30 --method repair",
        "queens estimate 9 --probes 2000",
    ] {
        let drawn = |seed: u32| here.succeed(&format!("-q {words} --seed {seed}"));
        let [one, again, two, three] = [1, 1, 2, 3].map(drawn);
        assert_eq!(one, again, "{words}");
        assert!(one != two || one != three, "{words}: {one}");
    }
}

/// Two runs that differ in one option, which has to change what is found: at any size of the board.
#[test]
fn each_number_of_descents_finds_something_of_its_own() {
    let here = Folder::new();
    here.write("nine", format!("1{}\n", ".".repeat(80)));
    here.write("sixteen", ".".repeat(256) + "\n");
    for (words, some, more) in [
        ("sudoku estimate nine", 300, 400),
        ("sudoku estimate sixteen", 300, 400),
        ("queens estimate 20 --seconds 1ms", 8000, 9000),
    ] {
        let found = |probes: u32| {
            let found = here.succeed(&format!("{words} -q --probes {probes}"));
            found.split(" (").next().unwrap().to_owned()
        };
        let [one, again, other] = [some, some, more].map(found);
        assert_eq!(one, again, "{words}");
        assert_ne!(one, other, "{words}");
    }
}

/// What is told of all candidates is their number, and not that of the cells.
#[test]
fn candidates_are_counted_one_by_one() {
    let folder = Folder::new();
    let puzzle = "size 4\ngivens\n1...\n....\n..2.\n....\n";
    folder.write("p", puzzle);
    let words = "variant candidates p";
    let rows = folder.json(&format!("{words} --json"));
    let rows: Vec<Vec<Vec<u8>>> = serde_json::from_value(rows).unwrap();
    let number: usize = rows.iter().flatten().map(Vec::len).sum();
    assert_ne!(number, 16);
    assert_eq!(folder.said(words), format!("{number} candidates\n"));
}

/// The columns of a CSV are the fields of the document with their names: sizes without a solution tell tries from solved.
#[test]
fn methods_have_the_same_figures_in_every_form() {
    let folder = Folder::new();
    let words = "queens methods --sizes 3,8 --seeds 3";
    let document = folder.json(&format!("{words} --json"));
    let rows = document["rows"].as_array().unwrap();
    let csv = folder.succeed(&format!("{words} --csv"));
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let mut compared = 0;
    for (row, fields) in rows.iter().zip(lines) {
        for (name, field) in names.iter().zip(fields) {
            let expected = match &row[*name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                number => number.to_string(),
            };
            assert!(*name == "seconds" || field == expected, "{name}: {row}, {field}");
        }
        compared += usize::from(row["tries"] != row["solved"] && row["solved"] == 0);
    }
    assert!(compared > 2, "{csv}");
}

/// A page of boards numbers them as the whole list does.
#[test]
fn boards_of_a_page_have_their_numbers_in_the_list() {
    let folder = Folder::new();
    let page = |skip: u32| {
        let words = format!("queens list 8 --skip {skip} --limit 2 --format svg");
        let page = folder.succeed(&words);
        let texts = page.split("</text>").filter_map(|text| text.rsplit('>').next());
        texts.map(str::to_owned).collect::<Vec<String>>()
    };
    let (first, later) = (page(0), page(40));
    assert!(later.contains(&"41".to_owned()) && later.contains(&"42".to_owned()), "{later:?}");
    assert!(!first.contains(&"41".to_owned()) && !first.contains(&"42".to_owned()), "{first:?}");
}
