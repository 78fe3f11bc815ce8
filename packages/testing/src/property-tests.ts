// Loaded before every test: property tests use the seed and the number of runs of this test run.
import fc from 'fast-check'
import { soakRuns, soakSeed } from './soak.ts'

const DEFAULT_RUNS = 30

fc.configureGlobal({ seed: soakSeed(), numRuns: soakRuns(DEFAULT_RUNS) })
