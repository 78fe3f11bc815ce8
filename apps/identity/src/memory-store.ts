import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Entry {
  payload: AdapterPayload
  expiresAt: number
}

/** Sessions, grants, codes and refresh tokens of one provider; a restart signs everyone out. */
export function createMemoryStore(): AdapterFactory {
  const models = new Map<string, Map<string, Entry>>()
  const forgetExpired = (entries: Map<string, Entry>) => {
    const now = Date.now()
    for (const [id, entry] of entries) if (entry.expiresAt <= now) entries.delete(id)
  }

  return (model): Adapter => {
    const entries = models.get(model) ?? new Map<string, Entry>()
    models.set(model, entries)
    const find = (matches: (payload: AdapterPayload) => boolean) => {
      forgetExpired(entries)
      return entries.values().find((entry) => matches(entry.payload))?.payload
    }

    return {
      async upsert(id, payload, expiresIn) {
        forgetExpired(entries)
        entries.set(id, { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY })
      },
      async find(id) {
        forgetExpired(entries)
        return entries.get(id)?.payload
      },
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => find((payload) => payload.userCode === userCode),
      async consume(id) {
        const payload = entries.get(id)?.payload
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        entries.delete(id)
      },
      async revokeByGrantId(grantId) {
        for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id)
      },
    }
  }
}
