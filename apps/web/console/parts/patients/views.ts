/** Views that are filters of the list; a segment of the clinic is a view as well. */
const VIEWS = {
  portal: { claimed: 'true' },
  outside: { claimed: 'false' },
  restricted: { restricted: 'true' },
} as const

type ViewName = keyof typeof VIEWS

const isName = (view: string): view is ViewName => Object.hasOwn(VIEWS, view)

export const viewNames = Object.keys(VIEWS).filter(isName)

export const isSegment = (view: string): boolean => view !== '' && !isName(view)

export const filterOf = (view: string): { claimed?: string; restricted?: string } => (isName(view) ? VIEWS[view] : {})
