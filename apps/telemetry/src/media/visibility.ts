import type { MediaEvent } from '@tendon/contracts'
import type { Item } from './item.ts'

interface Page {
  /** The current item: that of the latest event. */
  item: Item
  at: number
  isHidden: boolean
}

/**
 * Counts the time that pages are hidden, event by event in order of time. Each session has one page. Hidden time is
 * added to the item that is current, and ends with the last event of the page.
 */
export function watchPages(): (event: MediaEvent, item: Item, at: number) => void {
  const pages = new Map<string, Page>()
  return ({ event, session_id }, item, at) => {
    const page = pages.get(session_id) ?? { item, at, isHidden: false }
    pages.set(session_id, page)
    if (page.isHidden) page.item.hidden_ms += at - page.at
    page.item = item
    page.at = at
    if (event === 'page_hidden') page.isHidden = true
    if (event === 'page_visible') page.isHidden = false
  }
}
