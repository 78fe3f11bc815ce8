import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { Database } from '../database.ts'
import type { Login } from '../roles.ts'
import { asService } from '../service.ts'
import type { Context, TenantTx } from '../transaction.ts'
import { Callers } from './callers.fixtures.ts'
import { type Case, OPERATIONS, type Operation } from './case.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'
import type { FurtherCase } from './further.cases.ts'

export const LOGINS = ['tendon_app', 'tendon_worker', 'tendon_telemetry'] as const satisfies Login[]
const NOT_A_TABLE = '55000'

/** 'rows', 'none', 'refused', or an error that was not expected. */
export type Outcome = string

class Undo extends Error {
  readonly rows: number
  constructor(rows: number) {
    super('undone')
    this.rows = rows
  }
}

/** Two clinics with a row in every table, and what each login and caller reaches of them. */
export class Attempts {
  readonly database: TestDatabase
  readonly clinic: Clinic
  readonly other: Clinic
  readonly callers: Callers
  readonly #logins: ReadonlyMap<Login, Database>

  private constructor(database: TestDatabase, callers: Callers) {
    this.database = database
    this.clinic = callers.clinic
    this.other = callers.other
    this.callers = callers
    this.#logins = new Map(LOGINS.map((login) => [login, new Database({ ...database.options, login, poolSize: 4 })]))
  }

  static async create(): Promise<Attempts> {
    const database = await createTestDatabase()
    const clinic = await createClinic(database)
    const other = await createClinic(database)
    const codes = await database.query<{ code: string }>('select code from permissions')
    return new Attempts(
      database,
      new Callers(
        clinic,
        other,
        codes.map(({ code }) => code),
      ),
    )
  }

  async drop(): Promise<void> {
    for (const db of this.#logins.values()) await db.close()
    await this.database.drop()
  }

  /** Runs a statement, rolls it back, and returns the outcome. */
  async attempt(context: Context, statement: string, login: Login = 'tendon_app', isService = false): Promise<Outcome> {
    const run = async (tx: TenantTx) => Number((await sql.raw(statement).execute(tx)).numAffectedRows)
    try {
      await this.#logins.get(login)?.tenant(context, async (tx) => {
        if (isService) await sql`select set_config('app.service', 'on', true)`.execute(tx)
        throw new Undo(await (context.serviceCodes === '*' ? asService(tx, '*', run) : run(tx)))
      })
      return 'not run'
    } catch (error) {
      if (error instanceof Undo) return error.rows > 0 ? 'rows' : 'none'
      if (!(error instanceof DatabaseError)) return String(error)
      const { code, constraint, message } = error
      if (code === '42501' || code === NOT_A_TABLE) return 'refused'
      return constraint === undefined ? message : `${code} ${constraint}`
    }
  }

  further({ context, statement, isService }: FurtherCase): Promise<Outcome> {
    return this.attempt(context, statement, 'tendon_app', isService)
  }

  /** What every caller meets with every operation on the table, and what the case says. */
  async onTable(login: Login, table: string, entry: Case, operations: readonly Operation[] = OPERATIONS) {
    const met: Record<string, Outcome> = {}
    const expected: Record<string, Outcome> = {}
    for (const operation of operations) {
      const right = login === 'tendon_telemetry' ? (entry.telemetry?.[operation] ?? 'nobody') : entry[operation]
      const isOfService = login === 'tendon_worker' && entry.worker?.includes(operation) === true
      const isRefused = right === 'nobody' && !isOfService
      const tried = [
        { callers: this.callers.of(right, entry, isOfService), where: ` where ${entry.row(this.clinic)}` },
        { callers: isWholeTable(operation) ? this.callers.ofWholeTable(right, entry, isOfService) : [], where: '' },
      ]
      for (const { callers, where } of tried) {
        const statement = statementFor(operation, table, entry, this.clinic, where)
        for (const { who, context, may, isService = false } of callers) {
          const name = `${operation}${where === '' ? ' of all rows' : ''}, ${who}`
          met[name] = await this.attempt(context, statement, login, isService)
          if (isRefused) expected[name] = 'refused'
          else expected[name] = may ? 'rows' : operation === 'insert' ? 'refused' : 'none'
        }
      }
    }
    return { met, expected }
  }
}

const isWholeTable = (operation: Operation) => operation === 'update' || operation === 'delete'

function statementFor(operation: Operation, table: string, { fresh, set }: Case, clinic: Clinic, where: string) {
  if (operation === 'select') return `select 1 from ${table}${where}`
  if (operation === 'insert') return `insert into ${table} ${fresh(clinic)}`
  if (operation === 'delete') return `delete from ${table}${where}`
  // Without a condition, nothing may be read: `x = x` needs the policies of select too.
  return `update ${table} set ${where === '' ? set.replace(/^(\w+) = \1$/, '$1 = null') : set}${where}`
}
