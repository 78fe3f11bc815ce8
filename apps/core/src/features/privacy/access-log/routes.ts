import { AuditLog, resolveLanguage } from '@tendon/access'
import { AccessLogEntry, accessLogList, listParameters, Many } from '@tendon/contracts'
import { pageOf, parseList, patient } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { describeAccess } from './entry.ts'
import { listAccess } from './queries.ts'

export const accessLogRoutes: Routes = (app, { box }) => {
  const auditLog = new AuditLog(box)

  app.get(
    '/v1/me/access-log',
    {
      config: {
        access: patient(),
        gate: 'open',
        summary: 'List your access log',
        description: 'Returns who viewed or changed your record at each of your clinics, newest first.',
      },
      schema: { querystring: listParameters(accessLogList), response: { 200: Many(AccessLogEntry) } },
    },
    async (request) => {
      const { caller } = request
      const list = parseList(accessLogList, request.query)
      const onlyAt = caller.impersonator_id === null ? null : caller.organization_id
      const { rows, total } = await request.tenant((tx) => listAccess(tx, list, onlyAt))
      const language = resolveLanguage(caller.preferred_language, caller.organization_language)
      return {
        data: rows.map((row) =>
          describeAccess(row, auditLog.read(row, row.wrapped_key), caller.principal_id, language),
        ),
        pagination: pageOf(list, total),
      }
    },
  )
}
