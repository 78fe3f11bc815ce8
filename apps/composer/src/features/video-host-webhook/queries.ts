import type { PublicTx } from '@tendon/db'
import { sql } from 'kysely'

interface HostedRender {
  render_id: string
  render_organization_id: string
}

export async function findHostedRender(
  tx: PublicTx,
  provider: string,
  reference: string,
): Promise<HostedRender | undefined> {
  const { rows } = await sql<HostedRender>`select * from find_hosted_render(${provider}, ${reference})`.execute(tx)
  return rows[0]
}

/** Makes the core API's worker poll the host for an uploaded video now. False when no video with this name is waiting. */
export async function pollExerciseVideo(tx: PublicTx, reference: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select poll_exercise_video(${reference}) as found`.execute(tx)
  return rows[0]?.found ?? false
}
