export const RUN_JOB = 'run_automation'
