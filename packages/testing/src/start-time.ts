/** How long a process may take to start: long on a busy machine, and no test measures it. One that ended is noticed before. */
export const START_MS = 120_000
