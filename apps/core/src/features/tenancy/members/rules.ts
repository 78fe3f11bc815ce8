const INVITATION_GAP_SECONDS = 60

/** The seconds until somebody may be invited again; 0: now. */
export function secondsToWait(invitedAt: string | null, now: Date): number {
  if (invitedAt === null) return 0
  const passed = (now.getTime() - new Date(invitedAt).getTime()) / 1000
  return Math.min(INVITATION_GAP_SECONDS, Math.max(0, Math.ceil(INVITATION_GAP_SECONDS - passed)))
}
