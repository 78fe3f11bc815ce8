import { type RawBuilder, sql } from 'kysely'

/** The organization in context, for conditions. As a sub-select it is evaluated once per statement, not once per row. */
export const CLINIC: RawBuilder<string> = sql<string>`(select current_app_org_id())`

/** The rows of an organization; null: those of the platform. "is not distinct from" would use no index. */
export const ofScope = (organizationId: string | null): RawBuilder<boolean> =>
  organizationId === null
    ? sql<boolean>`organization_id is null`
    : sql<boolean>`organization_id = ${organizationId}::uuid`
