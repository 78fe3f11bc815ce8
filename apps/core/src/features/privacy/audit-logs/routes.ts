import { type AuditEntry, AuditLog } from '@tendon/access'
import {
  AuditLogCsv,
  AuditLogEntry,
  auditLogExportParameters,
  auditLogList,
  ById,
  type List,
  listParameters,
  Many,
  One,
} from '@tendon/contracts'
import type { PlatformTx, TenantTx, TransactionOptions } from '@tendon/db'
import { pageOf, parseList, permission } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { describeEntry } from './entry.ts'
import { auditLogNotFound } from './errors.ts'
import { type Page, resetWhenCutShort, streamCsv } from './export.ts'
import {
  clinicEntries,
  type Entries,
  type EntryRow,
  findEntry,
  listEntries,
  listEntriesAfter,
  platformEntries,
} from './queries.ts'

export const EXPORT_PAGE_ROWS = 500

export const auditLogRoutes: Routes = (app, { box, config }) => {
  const auditLog = new AuditLog(box)
  const access = permission('audit_log.view_org')

  app.get(
    '/v1/audit-logs',
    {
      config: { access, summary: 'List audit log entries', description: 'Newest first.' },
      schema: { querystring: listParameters(auditLogList), response: { 200: Many(AuditLogEntry) } },
    },
    async (request) => {
      const list = parseList(auditLogList, request.query)
      const { rows, total } = await read(request, (entries) => listEntries(entries, list))
      return {
        data: rows.map((row) => describeEntry(auditLog, row)),
        pagination: pageOf(list, total),
      }
    },
  )

  app.get(
    '/v1/audit-logs/export',
    {
      config: {
        access,
        latency: 'report',
        operationId: 'exportAuditLogs',
        summary: 'Export the audit log',
        description: 'Returns a CSV file.',
        produces: 'text/csv; charset=utf-8',
      },
      schema: { querystring: auditLogExportParameters, response: { 200: AuditLogCsv } },
      handlerTimeout: config.LONG_REQUEST_TIMEOUT_MS,
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { sort: _ignored, ...query } = request.query
      const list = parseList(auditLogList, query)
      const stream = streamCsv(await exportPage(request, list))
      resetWhenCutShort(stream, request, reply)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit-log.csv"')
        .send(stream)
    },
  )

  app.get(
    '/v1/audit-logs/:id',
    {
      config: { access, summary: 'Get an audit log entry', refusals: [auditLogNotFound] },
      schema: { params: ById, response: { 200: One(AuditLogEntry) } },
    },
    async (request) => {
      const row = await read(request, (entries) => findEntry(entries, request.params.id))
      if (!row) throw auditLogNotFound()
      return { data: describeEntry(auditLog, row) }
    },
  )

  /**
   * Each page is a short transaction of its own, so that a slow client holds no connection. The first also records the
   * export: nothing leaves before that is kept.
   */
  async function exportPage(request: FastifyRequest, list: List, after?: EntryRow): Promise<Page> {
    const rows = await read(
      request,
      async (entries, tx) => {
        if (!after) await request.audit(tx, exportOf(list))
        return listEntriesAfter(entries, list, after, EXPORT_PAGE_ROWS)
      },
      { long: true },
    )
    return {
      entries: rows.map((row) => describeEntry(auditLog, row)),
      next: rows.length === EXPORT_PAGE_ROWS ? () => exportPage(request, list, rows.at(-1)) : undefined,
    }
  }
}

/** Superadmins have no organization: they see the platform's own entries. */
function read<Result>(
  request: FastifyRequest,
  work: (entries: Entries, tx: TenantTx | PlatformTx) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  return request.caller.is_superadmin
    ? request.platform((tx) => work(platformEntries(tx), tx), options)
    : request.tenant((tx) => work(clinicEntries(tx), tx), options)
}

const exportOf = ({ filters, ranges }: List): AuditEntry => ({
  action: 'audit_logs.export',
  crud: 'E',
  target: { type: 'audit_log', id: null },
  changes: [{ field: 'filters', before: null, after: { ...filters, ...ranges[0] } }],
})
