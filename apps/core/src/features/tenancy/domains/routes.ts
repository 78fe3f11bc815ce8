import { randomBytes } from 'node:crypto'
import {
  ById,
  CheckedDomain,
  Domain,
  DomainParams,
  domainList,
  listParameters,
  Many,
  NewDomain,
  NoContent,
  One,
} from '@tendon/contracts'
import { pageOf, parseList, permission, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { dnsUnavailable, domainExists, domainNotFound, domainUnavailable } from './errors.ts'
import { deleteDomain, findDomain, findDomainForUpdate, insertDomain, listDomains, updateDomain } from './queries.ts'
import { record, recordCheck } from './record.ts'
import { problemOfRecords, readDomain, stateAfterCheck, txtRecordOf, withTxtRecord } from './rules.ts'

const CHALLENGE_BYTES = 16
const DNS_RETRY_SECONDS = 30

const access = permission('organizations.manage_domains')

export const domainRoutes: Routes = (app, { dns, now }) => {
  app.get(
    '/v1/organizations/:id/domains',
    {
      config: { access, summary: 'List custom domains' },
      schema: { params: ById, querystring: listParameters(domainList), response: { 200: Many(Domain) } },
    },
    async (request) => {
      const list = parseList(domainList, request.query)
      const { rows, total } = await request.findPage((tx) => listDomains(tx, list))
      return { data: rows.map(withTxtRecord), pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/organizations/:id/domains',
    {
      config: {
        access,
        idempotent: true,
        summary: 'Add a custom domain',
        description: 'The response contains the DNS record to publish.',
        refusals: [domainExists],
      },
      schema: { params: ById, body: NewDomain, response: { 201: One(Domain) } },
    },
    async (request, reply) => {
      const read = readDomain(request.body.domain)
      if ('problem' in read) throw validationFailed({ fields: { domain: read.problem } })
      const challenge = randomBytes(CHALLENGE_BYTES).toString('hex')
      return request.tenantCreate(reply, async (tx) => {
        const created = await insertDomain(tx, { domain: read.domain, challenge })
        await record.created(request, tx, created)
        return { data: withTxtRecord(created) }
      })
    },
  )

  app.delete(
    '/v1/organizations/:id/domains/:domainId',
    {
      config: {
        access,
        summary: 'Remove a custom domain',
        description: 'The organization can no longer be resolved by this domain.',
        refusals: [domainNotFound],
      },
      schema: { params: DomainParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const deleted = await deleteDomain(tx, request.params.domainId)
        if (!deleted) throw domainNotFound()
        await record.deleted(request, tx, deleted, { domain: null, status: null, verified_at: null })
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/organizations/:id/domains/:domainId/verify',
    {
      config: {
        access,
        summary: 'Verify a custom domain',
        description: 'Looks up the DNS record and marks the domain as verified when it is found.',
        refusals: [domainNotFound, domainUnavailable, dnsUnavailable],
      },
      schema: { params: DomainParams, response: { 200: One(CheckedDomain) } },
    },
    async (request) => {
      const asked = await request.tenant((tx) => findDomain(tx, request.params.domainId))
      if (!asked) throw domainNotFound()
      const records = await dns.txtRecords(txtRecordOf(asked).name).catch((error: unknown) => {
        request.log.warn({ err: error }, 'DNS lookup failed')
        throw dnsUnavailable({}, { 'retry-after': String(DNS_RETRY_SECONDS) })
      })
      const problem = problemOfRecords(asked, records)
      return request.tenant(async (tx) => {
        const before = await findDomainForUpdate(tx, asked)
        if (!before) throw domainNotFound()
        const after = await updateDomain(tx, before.id, stateAfterCheck(before, problem, now()))
        await recordCheck(request, tx, before, after, problem)
        return { data: { ...withTxtRecord(after), problem } }
      })
    },
  )
}
