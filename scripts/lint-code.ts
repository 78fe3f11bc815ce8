// Runs the linter with its type rules and the compiler. Unsafe casts are counted for each file instead of refused: the
// numbers of scripts/casts/baseline.txt may only shrink.
import { compareCasts, readBaseline } from './casts/baseline.ts'
import { countCasts } from './casts/count.ts'
import { describeFinding, findWithLinter, isUnsafeCast } from './casts/linter.ts'

const findings = await findWithLinter()
const others = findings.filter((finding) => !isUnsafeCast(finding))
const casts = compareCasts(readBaseline(), countCasts(findings))
// The casts of a file that has too many, so that the new one is found.
const crowded = findings.filter(
  (finding) => isUnsafeCast(finding) && casts.some((line) => line.startsWith(`${finding.filename}: `)),
)

for (const finding of [...others, ...crowded]) console.error(describeFinding(finding))
for (const line of casts) console.error(line)
console.log(`${others.length} findings, ${casts.length} numbers of casts differ from the baseline.`)
process.exit(others.length + casts.length === 0 ? 0 : 1)
