//! The options of `scale run`.

#[derive(Debug, clap::Args)]
pub struct CommandArgs {
    /// Run this shell command before each run, unmeasured; `{threads}` is replaced in it too
    #[arg(long, value_name = "COMMAND")]
    pub prepare: Option<String>,

    /// Run this shell command before all rounds, once for each thread count and value of --parameter
    #[arg(long, value_name = "COMMAND")]
    pub setup: Option<String>,

    /// Run this shell command after all rounds, once for each thread count and value of --parameter, even
    /// if the rounds end early
    #[arg(long, value_name = "COMMAND")]
    pub cleanup: Option<String>,

    /// Continue if the command fails; the report warns of failed runs
    #[arg(short, long)]
    pub ignore_failure: bool,

    /// Also measure each of these values of a second parameter, with `{NAME}` where the command takes it
    #[arg(long, num_args = 2, value_names = ["NAME", "V,V…"])]
    pub parameter: Vec<String>,

    /// Amount of work in one run, such as '5000 requests': the report then has a column of requests/s
    #[arg(long, value_name = "N UNIT", value_parser = amount)]
    pub amount: Option<Amount>,
}

/// An amount of work: so many of a unit, such as requests.
#[cfg_attr(not(unix), expect(dead_code, reason = "for `scale run`, which only Unix has"))]
#[derive(Clone, Debug)]
pub struct Amount {
    pub number: f64,
    pub unit: String,
}

/// Reads a number above 0 and a unit.
fn amount(text: &str) -> Result<Amount, String> {
    let (number, unit) = text.trim().split_once(' ').unwrap_or((text, ""));
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() && !unit.trim().is_empty() => {
            Ok(Amount { number, unit: unit.trim().to_owned() })
        }
        _ => Err("expected a number above 0 and a unit, such as '5000 requests'".to_owned()),
    }
}
