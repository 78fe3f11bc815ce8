import { createContext, useContext } from 'react'

/** The ids of the last list shown, so that J and K open the next and previous record. Only in memory, never in storage. */
export interface LastList {
  ids: () => readonly string[]
  remember: (ids: readonly string[]) => void
}

export function createLastList(): LastList {
  let last: readonly string[] = []
  return {
    ids: () => last,
    remember: (ids) => {
      last = ids
    },
  }
}

export const LastListContext = createContext<LastList | null>(null)

const forget = () => {}

export const useRememberList = (): LastList['remember'] => useContext(LastListContext)?.remember ?? forget

export function useNeighbours(id: string): { next?: string; previous?: string } {
  const ids = useContext(LastListContext)?.ids() ?? []
  const place = ids.indexOf(id)
  if (place === -1) return {}
  const [previous, next] = [ids[place - 1], ids[place + 1]]
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) }
}
