import assert from 'node:assert/strict'
import type { CalendarView, CalendarVisit } from '@tendon/contracts'
import type { Answer, Person, TestCore } from '../../../testing/core.ts'

export interface Asked {
  from: Date
  to: Date
  specialist_id?: string
  location_id?: string
  detail?: 'visits' | 'taken'
}

export const calendarPath = ({ from, to, ...rest }: Asked) =>
  `/v1/calendar?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString(), ...rest }).toString()}`

export function calendarOf(core: TestCore) {
  const ask = (as: Person, asked: Asked, headers = {}): Promise<Answer> =>
    core.get(calendarPath(asked), { as, headers })
  async function read(as: Person, asked: Asked): Promise<CalendarView> {
    const { status, body, text } = await ask(as, asked)
    assert.equal(status, 200, text)
    return body.data
  }
  async function visits(as: Person, asked: Asked): Promise<CalendarVisit[]> {
    const view = await read(as, asked)
    assert.ok(view.visits)
    assert.equal(view.taken, undefined)
    return view.visits
  }
  return { ask, read, visits }
}
