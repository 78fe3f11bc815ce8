// Loaded before every test: what is random repeats with the seed of the run, so often as the run asks for.
import fc from 'fast-check'
import { soakRuns, soakSeed } from './soak.ts'

const USUAL_RUNS = 30

fc.configureGlobal({ seed: soakSeed(), numRuns: soakRuns(USUAL_RUNS) })
