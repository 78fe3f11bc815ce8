import { createGate } from '../api/gates.ts'
import type { Clock } from '../clock.ts'

export interface LeaveQuestion {
  text: string | undefined
  isDirty: () => boolean
}

export interface Unsaved {
  isDirty: () => boolean
  /** What would be lost. Left out: what was typed. */
  text?: (() => string | undefined) | undefined
  /** Saves what was typed; resolves to true when everything is saved. Left out: it can only be given up. */
  save?: (() => Promise<boolean>) | undefined
}

/** A save that takes longer does not keep the person on the page without a word. */
export const MAX_LEAVE_WAIT_MS = 4_000

/** Shows the question over the page; `open(true)`: the person gives up what was typed. */
export const leaveGate = createGate<LeaveQuestion>()

/** True when nothing is lost: everything is saved, or the person agrees. The question closes when a slow save succeeds. */
export async function mayLeave({ isDirty, save, text }: Unsaved, clock: Clock, gate = leaveGate): Promise<boolean> {
  if (!isDirty()) return true
  const saved = save?.()
  if (saved && (await withinWait(saved, clock))) return true
  const question = { text: text?.(), isDirty }
  const answer = gate.wait(question)
  if (saved) void closeWhenSaved(saved, question, gate)
  return answer
}

async function closeWhenSaved(saved: Promise<boolean>, question: LeaveQuestion, gate: typeof leaveGate): Promise<void> {
  if ((await saved) && gate.reason === question) gate.open(true)
}

/** Leaves when a later attempt has saved everything while the question was shown. */
export function leaveWhenClean(isDirty: () => boolean, gate = leaveGate): void {
  if (gate.reason?.isDirty === isDirty && !isDirty()) gate.open(true)
}

function withinWait(saved: Promise<boolean>, clock: Clock): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const cancel = clock.after(MAX_LEAVE_WAIT_MS, () => late.resolve(false))
  return Promise.race([saved, late.promise]).finally(cancel)
}
