import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

// The writes that all templates with published versions share. Each kind reads its own rows.

const VERSIONS = {
  form_templates: { versions: 'form_template_versions', reference: 'form_template_id' },
  pdf_templates: { versions: 'pdf_template_versions', reference: 'pdf_template_id' },
} as const

export interface TemplateTable {
  table: keyof typeof VERSIONS
  /** The columns that a version repeats. */
  content: readonly string[]
}

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** Publishes the current row as the next version. `changes`: columns that publishing sets. */
export async function publishTemplate(
  tx: TenantTx,
  { table, content }: TemplateTable,
  id: string,
  changes: { fields?: string },
): Promise<void> {
  await tx
    .updateTable(table)
    .set({
      ...changes,
      status: 'published',
      version: sql`version + 1`,
      published_at: sql`now()`,
      published_by_principal_id: sql`current_app_principal_id()`,
    })
    .where('id', '=', id)
    .execute()
  const { versions, reference } = VERSIONS[table]
  const copied = columns(['version', ...content])
  await sql`
    insert into ${sql.table(versions)} (${sql.ref(reference)}, ${copied})
    select id, ${copied} from ${sql.table(table)} where id = ${id}`.execute(tx)
}

export async function archiveTemplate(tx: TenantTx, { table }: TemplateTable, id: string): Promise<void> {
  await tx.updateTable(table).set({ status: 'archived' }).where('id', '=', id).execute()
}

/** The status becomes `published` when the row equals its latest version, otherwise `draft`. */
export async function unarchiveTemplate(tx: TenantTx, { table, content }: TemplateTable, id: string): Promise<void> {
  const { versions, reference } = VERSIONS[table]
  const compared = columns(content)
  const inForce = sql`select row(${compared}) from ${sql.table(versions)} v
    where v.${sql.ref(reference)} = ${sql.ref(`${table}.id`)} and v.version = ${sql.ref(`${table}.version`)}`
  await tx
    .updateTable(table)
    .set({
      status: sql`case when (${compared}) is not distinct from (${inForce}) then 'published' else 'draft' end`,
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteTemplate(tx: TenantTx, { table }: TemplateTable, id: string): Promise<string | null> {
  const { deleted_at } = await tx
    .updateTable(table)
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .returning('deleted_at')
    .executeTakeFirstOrThrow()
  return deleted_at
}
