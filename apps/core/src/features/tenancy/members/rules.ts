const INVITATION_GAP_SECONDS = 60

export const MAX_INVITATIONS_AGAIN_A_DAY = 5
const DAY_SECONDS = 86_400

/** The seconds until somebody who was invited again at these times, the latest first, may be so once more; 0: now. */
export function secondsToNextDay(invitedAgainAt: readonly string[], now: Date): number {
  const oldest = invitedAgainAt[MAX_INVITATIONS_AGAIN_A_DAY - 1]
  if (oldest === undefined) return 0
  const passed = (now.getTime() - new Date(oldest).getTime()) / 1000
  return Math.min(DAY_SECONDS, Math.max(0, Math.ceil(DAY_SECONDS - passed)))
}

/** The seconds until somebody may be invited again; 0: now. */
export function secondsToWait(invitedAt: string | null, now: Date): number {
  if (invitedAt === null) return 0
  const passed = (now.getTime() - new Date(invitedAt).getTime()) / 1000
  return Math.min(INVITATION_GAP_SECONDS, Math.max(0, Math.ceil(INVITATION_GAP_SECONDS - passed)))
}
