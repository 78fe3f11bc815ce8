// `npm run casts`: prints the casts of every app and package, and lowers scripts/casts/baseline.txt to what is left.
// `npm run casts -- apps/core/src/features/care`: lists those under a path instead.

import { compareCasts, followRenames, lowerBaseline, readBaseline, writeBaseline } from './casts/baseline.ts'
import { castsByRoom, countCasts } from './casts/count.ts'
import { describeFinding, findWithLinter, isUnsafeCast } from './casts/linter.ts'
import { linesWithCastIn } from './casts/written.ts'

const findings = await findWithLinter()
const counted = countCasts(findings)
const under = process.argv[2]
if (under === undefined) {
  console.table(Object.fromEntries(castsByRoom(counted)))
  const baseline = lowerBaseline(followRenames(readBaseline(), counted), counted)
  writeBaseline(baseline)
  const risen = compareCasts(baseline, counted)
  for (const line of risen) console.error(line)
  if (risen.length > 0) process.exitCode = 1
} else {
  for (const finding of findings)
    if (isUnsafeCast(finding) && finding.filename.startsWith(under)) console.log(describeFinding(finding))
  for (const file of [...counted.keys()].filter((name) => name.startsWith(under)).sort())
    for (const line of linesWithCastIn(file)) console.log(`${file}:${line} written as a cast`)
}
