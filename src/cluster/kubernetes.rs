//! `tallyboard cluster k8s PLAN`: an Indexed Job, one index a shard.

use anyhow::{Context, Result};

use super::script::{Script, SubmitArgs, quoted, word};

#[derive(Debug, clap::Args)]
pub struct KubernetesArgs {
    #[command(flatten)]
    pub submission: SubmitArgs,

    /// A container image with tallyboard on its PATH
    #[arg(long, value_parser = word)]
    pub image: String,

    /// The claim of the volume that holds plan and results, mounted at /work
    #[arg(long, default_value = "tallyboard", value_parser = word)]
    pub claim: String,

    /// Pods at a time
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub parallelism: u32,
}

/// The manifest.
pub fn text(script: &Script, flags: &KubernetesArgs) -> Result<String> {
    let plan = script.plan_path.file_name().context("the plan has no name")?;
    let cpus = script.cpus;
    let memory = script.memory_mib().unwrap_or(256);
    Ok(format!(
        r#"{opening}; edit it freely, then: kubectl apply -f THIS-FILE
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  completionMode: Indexed
  completions: {shards}
  parallelism: {parallelism}
  # Each shard may be started again this often; it goes on from its journal.
  backoffLimitPerIndex: 20
  podFailurePolicy:
    rules:
      # 42: the plan or the program is wrong; 2: the command line is. Neither gets better.
      - action: FailIndex
        onExitCodes:
          containerName: shard
          operator: In
          values: [2, 42]
      # A node that was drained is nobody's fault.
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 30
      containers:
        - name: shard
          image: {image}
          command: [{program}]
          args: ["cluster", "run", {plan}, "--shard", "$(SHARD)", "-o", "/work/results", "--threads", "{cpus}"]
          env:
            - name: SHARD
              valueFrom:
                fieldRef:
                  fieldPath: metadata.annotations['batch.kubernetes.io/job-completion-index']
          resources:
            requests: {{ cpu: "{cpus}", memory: "{memory}Mi" }}
            limits: {{ memory: "{memory}Mi" }}
          volumeMounts:
            - name: work
              mountPath: /work
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: {claim}
"#,
        opening = script.opening(),
        name = script.plan.job.label(),
        shards = script.plan.work.shards,
        parallelism = flags.parallelism,
        image = quoted(&flags.image),
        program = quoted(crate::terminal::name::program_name()),
        plan = quoted(std::path::Path::new("/work").join(plan)),
        claim = quoted(&flags.claim),
    ))
}
