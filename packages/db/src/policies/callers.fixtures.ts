import { randomUUID } from 'node:crypto'
import type { Context } from '../transaction.ts'
import type { Case, Right } from './case.ts'
import type { Clinic } from './clinic.fixtures.ts'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export const holding = (held: string[]) => `,${held.join(',')},`

export interface Caller {
  who: string
  context: Context
  may: boolean
  /** Works as the service of the clinic in context. */
  isService?: boolean
}

/** Who tries a statement on rows of `clinic`. */
export class Callers {
  readonly clinic: Clinic
  readonly other: Clinic
  readonly codes: readonly string[]

  constructor(clinic: Clinic, other: Clinic, codes: readonly string[]) {
    this.clinic = clinic
    this.other = other
    this.codes = codes
  }

  readonly inside = (permissions: string, of = this.clinic, principalId: string = randomUUID()): Context => ({
    principalId,
    organizationId: of.id,
    permissions,
  })

  without(...missing: string[]): Context {
    return this.inside(holding(this.codes.filter((code) => !missing.includes(code))))
  }

  of(right: Right, { owner }: Case, isOfWorker: boolean): Caller[] {
    const callers = owner ? this.#owners(right, this.clinic[owner]) : this.#callersOf(right)
    return isOfWorker ? [...callers, ...this.#services()] : callers
  }

  /** Who changes no row, also without a condition: one that reads no column asks nothing of what may be read. */
  ofWholeTable(right: Right, { owner }: Case, isOfWorker: boolean): Caller[] {
    const all = this.inside('*')
    const principalId = owner ? this.clinic[owner] : all.principalId
    const callers: Caller[] = [
      {
        who: 'the service for a superadmin of a clinic without rows',
        context: { ...all, principalId, organizationId: randomUUID() },
        may: false,
        isService: true,
      },
    ]
    const isOfService = isOfWorker || (right !== 'nobody' && 'service' in right)
    if (isOfService || owner)
      callers.push({ who: 'superadmin here, not the owner or the service', context: all, may: false })
    return callers
  }

  #callersOf(right: Right): Caller[] {
    if (right !== 'nobody' && 'service' in right) return this.#serviceCallersOf(right.service)
    const callers: Caller[] = [
      { who: 'superadmin here', context: this.inside('*'), may: true },
      { who: 'superadmin elsewhere', context: this.inside('*', this.other), may: false },
      { who: 'without organization', context: { ...this.inside('*'), organizationId: NIL_UUID }, may: false },
      { who: 'without context', context: { ...this.inside('*'), organizationId: null }, may: false },
    ]
    if (right === 'nobody') return callers.map((caller) => ({ ...caller, may: false }))
    if ('any' in right) {
      callers.push({ who: `all but ${right.any.join(', ')}`, context: this.without(...right.any), may: false })
      for (const code of right.any)
        callers.push({ who: `only ${code}`, context: this.inside(holding([code])), may: true })
      return callers
    }
    callers.push({ who: `only ${right.all.join(', ')}`, context: this.inside(holding(right.all)), may: true })
    for (const code of right.all) callers.push({ who: `all but ${code}`, context: this.without(code), may: false })
    return callers
  }

  #serviceCallersOf(needed: string[]): Caller[] {
    const all = this.inside('*')
    const callers: Caller[] = [
      { who: 'the service', context: this.inside(holding(needed)), may: true },
      { who: 'the service for a superadmin', context: all, may: true },
      { who: 'the service elsewhere', context: this.inside('*', this.other), may: false },
      { who: 'the service without organization', context: { ...all, organizationId: NIL_UUID }, may: false },
      { who: 'the service without context', context: { ...all, organizationId: null }, may: false },
      ...needed.map((code) => ({ who: `the service without ${code}`, context: this.without(code), may: false })),
    ]
    return [
      ...callers.map((caller) => ({ ...caller, isService: true })),
      { who: 'superadmin here, not as the service', context: all, may: false },
      { who: 'everybody here, not as the service', context: this.without(), may: false },
    ]
  }

  /** The service of a clinic reaches the rows of that clinic. */
  #services(): Caller[] {
    const asSystem = (organizationId: string | null): Context => ({
      principalId: null,
      organizationId,
      permissions: '*',
      serviceCodes: '*',
    })
    return [
      { who: 'service here', context: asSystem(this.clinic.id), may: true },
      { who: 'service elsewhere', context: asSystem(this.other.id), may: false },
      { who: 'service without organization', context: asSystem(NIL_UUID), may: false },
      { who: 'service without context', context: asSystem(null), may: false },
    ]
  }

  /** As for other tables, each as the owner of the row; somebody else who holds everything may not. */
  #owners(right: Right, principalId: string): Caller[] {
    const owners = this.#callersOf(right).map((caller) => ({ ...caller, context: { ...caller.context, principalId } }))
    return [...owners, { who: 'somebody else', context: this.inside('*'), may: false }]
  }
}
