//! What a scaling report is made of that is the same in most tests: a machine and a subject, made up.

use tallyboard_scale::conditions::Conditions;
use tallyboard_scale::report::{Scaling, Subject};
use tallyboard_scale::topology::{Cpu, Machine, Pin};

/// A machine of one NUMA node with `cores` cores of one hardware thread each.
pub fn machine(cores: usize) -> Machine {
    Machine {
        cpu: "Example 9000".into(),
        system: "linux x86_64".into(),
        kernel: None,
        cpus: (0..cores).map(|id| Cpu { id, package: 0, core: id, node: 0 }).collect(),
        cgroup_limit: None,
        numa_nodes: 1,
        cache_bytes: Some(32 << 20),
        caches: Vec::new(),
        cache_line_bytes: Some(64),
        features: Vec::new(),
        kinds: Vec::new(),
    }
}

/// Strong scaling of `command`, which is also its name, on `machine`.
pub fn subject(command: &str, machine: Machine) -> Subject {
    Subject {
        problem: command.into(),
        command: command.into(),
        scaling: Scaling::Strong,
        kernel: "none".into(),
        pin: Pin::None,
        machine,
        conditions: Conditions::default(),
        unit: None,
        parameter: None,
        source: None,
    }
}
