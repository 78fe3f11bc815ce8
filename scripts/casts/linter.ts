import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { bin, root } from '../quick-checks.ts'

const Report = Type.Object({
  diagnostics: Type.Array(
    Type.Object({
      message: Type.String(),
      code: Type.Optional(Type.String()),
      help: Type.Optional(Type.String()),
      filename: Type.String(),
      labels: Type.Array(Type.Object({ span: Type.Object({ line: Type.Number(), column: Type.Number() }) })),
    }),
  ),
})

export type Finding = Static<typeof Report>['diagnostics'][number]

/** All that the linter and the compiler find in the whole tree. */
export async function findWithLinter(): Promise<Finding[]> {
  const linter = spawn(bin('oxlint'), ['--type-check', '--deny-warnings', '--format', 'json'], {
    cwd: root,
    // A short-lived Go program: without garbage collection 0.65 of the processor time. The limit bounds its memory.
    env: { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = await text(linter.stdout)
  if (!output.trimStart().startsWith('{')) throw new Error(`the linter could not run:\n${output}`)
  return Parse(Report, JSON.parse(output)).diagnostics
}

export const isUnsafeCast = ({ code }: Finding) => code === 'typescript(no-unsafe-type-assertion)'

export function describeFinding({ filename, labels, message, code, help }: Finding): string {
  const at = labels[0] ? `:${labels[0].span.line}:${labels[0].span.column}` : ''
  return [`${filename}${at} ${message}${code ? ` [${code}]` : ''}`, ...(help ? [`  ${help}`] : [])].join('\n')
}
