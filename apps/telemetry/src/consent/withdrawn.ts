/** A consent that ended during a run. */
export interface Withdrawal {
  run_id: string
  purpose_code: 'telerehab' | 'biometric_capture'
  withdrawn_at: string
  /** null: it was not given again. */
  granted_again_at: string | null
}

const covers = ({ withdrawn_at, granted_again_at }: Withdrawal, at: number): boolean =>
  at > Date.parse(withdrawn_at) && (granted_again_at === null || at <= Date.parse(granted_again_at))

/** The withdrawal because of which nothing of a run may be recorded at this time. */
export const withdrawalOfRun = (withdrawals: readonly Withdrawal[], at: number): Withdrawal | undefined =>
  withdrawals.find((one) => one.purpose_code === 'telerehab' && covers(one, at))

export const isRunWithdrawn = (withdrawals: readonly Withdrawal[], at: number): boolean =>
  withdrawalOfRun(withdrawals, at) !== undefined

/** Whether no movement may be recorded at this time: the camera needs both consents. */
export const isCameraWithdrawn = (withdrawals: readonly Withdrawal[], at: number): boolean =>
  withdrawals.some((one) => covers(one, at))
