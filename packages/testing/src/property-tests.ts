// Loaded before every test: what is random repeats with the seed of the run, so often as the run asks for.
import fc from 'fast-check'
import { soakRuns, soakSeed } from './soak.ts'

const DEFAULT_RUNS = 30

fc.configureGlobal({ seed: soakSeed(), numRuns: soakRuns(DEFAULT_RUNS) })
