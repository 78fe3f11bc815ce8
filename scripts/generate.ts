// Writes the generated files: database types, schema, API documents and tables. Refuses migrations and functions that
// break a rule, before anything is made from them.
import { checkDatabaseFiles, migrate } from '@tendon/db'
import { startTemporaryPostgres, TEST_ROLE_SECRET } from '@tendon/testing'
import { writeGenerated } from './generate/files.ts'
import { openSource } from './generate/source.ts'

const broken = await checkDatabaseFiles()
if (broken.length > 0) {
  console.error(broken.join('\n'))
  process.exit(1)
}
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
