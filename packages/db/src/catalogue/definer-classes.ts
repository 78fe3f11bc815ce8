/**
 * Why a function that is no trigger may bypass row-level security for good. Its comment names the class and its own
 * reason: `Security definer (no context yet): …`. Anything else is typed code, with `asService` where the caller's
 * permissions are not enough.
 */
export const CLASSES: Readonly<Record<string, string>> = {
  'all organizations': 'works over all organizations, or on rows of none',
  'no context yet': 'serves a visitor, a token or a sign-in, before an organization is in context',
  'one person across clinics': 'reads or writes rows of one person at all their clinics',
  'called by triggers': 'is called by triggers, for every writer',
  'lock or index': 'decides between rivals at one index, or uses an index or a kept plan that policies would prevent',
  'expression in a list': 'is an expression inside lists: a name, linked patients, a consent',
}
