import { dataClasses } from '../../apps/core/src/data-classes.ts'
import { jobs as allJobs } from '../../apps/core/src/jobs.ts'
import { code, HEAD, table } from './markdown.ts'
import { folderLink } from './routes.ts'
import type { Source } from './source.ts'

export function jobTable({ features }: Source): string {
  const own = features.flatMap(({ folder, feature: { jobs } }) =>
    (typeof jobs === 'function' ? jobs(dataClasses) : jobs).map((job) => ({ ...job, where: folderLink(folder) })),
  )
  const names = new Set(own.map(({ name }) => name))
  const shared = allJobs.filter(({ name }) => !names.has(name)).map((job) => ({ ...job, where: 'the platform' }))
  const rows = [...own, ...shared]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, cron, where }) => [code(name), cron === undefined ? 'when it is added' : code(cron), where])
  return `${HEAD}# Background jobs

The worker runs these. A job with a schedule (crontab, UTC) runs by the clock, the others when a request, another job or an
event adds them.

${table(['Job', 'Runs', 'Folder'], rows)}`
}
