/** The provider of the platform for a capability, with its credentials opened. */
export interface PlatformProvider {
  id: string
  provider: string
  credentials: Record<string, string>
  config: Record<string, unknown>
  status: 'active' | 'error'
  updated_at: string
}

export interface PlatformProviders {
  /** Kept for five minutes in this process; undefined: none, or an inactive one. */
  of(capability: string): Promise<PlatformProvider | undefined>
  /** After a change: the next caller reads it again. Other processes follow within five minutes. */
  forget(): void
}
