// Writes the generated files: database types, schema, API documents and tables.
import { migrate } from '@tendon/db'
import { startTemporaryPostgres, TEST_ROLE_SECRET } from '@tendon/testing'
import { writeGenerated } from './generate/files.ts'
import { openSource } from './generate/source.ts'

const postgres = await startTemporaryPostgres()
try {
  await migrate({ url: postgres.url, roleSecret: TEST_ROLE_SECRET })
  const source = await openSource(postgres.url)
  const written = await writeGenerated(source).finally(() => source.close())
  console.log(
    written.length === 0
      ? 'Every generated file is up to date.'
      : ['Written:', ...written.map((path) => `  ${path}`)].join('\n'),
  )
} finally {
  await postgres.remove()
}
