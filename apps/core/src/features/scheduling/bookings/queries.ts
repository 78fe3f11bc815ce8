import type { Booking } from '@tendon/contracts'
import type { PublicTx } from '@tendon/db'
import { sql } from 'kysely'

export interface BookOutcome {
  outcome: 'booked' | 'not_found' | 'converted' | 'expired' | 'notice_unpublished' | 'too_many'
}

export interface NewBookingRow {
  holdId: string
  booker: { name: string; email: string; phone: string | null; language: string | null }
  note: string | null
  tokenHash: Buffer
  url: string
  maxPerDay: number
}

export async function bookHold(
  tx: PublicTx,
  { holdId, booker, note, tokenHash, url, maxPerDay }: NewBookingRow,
): Promise<BookOutcome> {
  const { rows } = await sql<{ result: BookOutcome }>`
    select book_hold(${holdId}, ${JSON.stringify(booker)}::jsonb, ${note}, ${tokenHash}, ${url}, ${maxPerDay}) as result`.execute(
    tx,
  )
  return rows[0]?.result ?? { outcome: 'not_found' }
}

export async function findBooking(tx: PublicTx, tokenHash: Buffer): Promise<Booking | undefined> {
  const { rows } = await sql<{ booking: Booking | null }>`select find_booking(${tokenHash}) as booking`.execute(tx)
  return rows[0]?.booking ?? undefined
}

export async function cancelBooking(tx: PublicTx, tokenHash: Buffer, url: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select cancel_booking(${tokenHash}, ${url}) as done`.execute(tx)
  return rows[0]?.done === true
}

export async function moveBooking(tx: PublicTx, tokenHash: Buffer, holdId: string, url: string): Promise<string> {
  const { rows } = await sql<{ result: { outcome: string } }>`
    select move_booking(${tokenHash}, ${holdId}, ${url}) as result`.execute(tx)
  return rows[0]?.result.outcome ?? 'not_found'
}
