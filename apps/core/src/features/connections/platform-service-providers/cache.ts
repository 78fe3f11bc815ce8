import { systemContext } from '@tendon/access'
import type { Database } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import type { PlatformProvider, PlatformProviders } from '../../../platform/platform-providers.ts'
import { findProviderOf } from './queries.ts'

const CACHE_MS = 5 * 60_000

/** Where the credentials of a provider are sealed. */
export const credentialsPlace = (id: string) => ({
  table: 'platform_service_providers',
  column: 'credentials_encrypted',
  organization_id: null,
  row: id,
})

interface Entry {
  loaded: Promise<PlatformProvider | undefined>
  until: number
}

/** One load at a time for each capability; a load that failed is repeated by the next caller. */
export function createPlatformProviders(
  db: Pick<Database, 'tenant'>,
  box: SecretBox,
  now: () => Date,
): PlatformProviders {
  const entries = new Map<string, Entry>()

  async function load(capability: string): Promise<PlatformProvider | undefined> {
    const row = await db.tenant(systemContext(null), (tx) => findProviderOf(tx, capability), { queries: 1 })
    if (!row) return undefined
    const { credentials_encrypted: sealed, ...rest } = row
    const credentials = sealed ? JSON.parse(box.open(sealed, credentialsPlace(row.id)).toString()) : {}
    return { ...rest, credentials }
  }

  return {
    of(capability) {
      const known = entries.get(capability)
      if (known && known.until > now().getTime()) return known.loaded
      const loaded = load(capability)
      entries.set(capability, { loaded, until: now().getTime() + CACHE_MS })
      loaded.catch(() => entries.delete(capability))
      return loaded
    },
    forget: () => entries.clear(),
  }
}
