import type { Selectable } from 'kysely'
import type { DB } from './types.ts'

/** Columns of a table as a query reads them: the row of an `sql` template names what it selects. */
export type RowOf<Table extends keyof DB, Column extends keyof Selectable<DB[Table]>> = Pick<
  Selectable<DB[Table]>,
  Column
>
