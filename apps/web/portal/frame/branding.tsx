import { useRead } from '../../ui/api/hooks.ts'
import { useBrand } from '../../ui/brand.ts'
import classes from './branding.module.css'

const FRESH_MS = 300_000

/** Name, logo and colour of a clinic. The page that asks is shown in that colour. */
export function useBranding(slug: string) {
  const query = useRead(
    'GET /v1/public/organizations/{slug}/branding',
    { params: { slug } },
    { staleTime: FRESH_MS, enabled: slug !== '' },
  )
  useBrand(query.data?.data.brand_color)
  return query
}

/** The name stands beside it: the picture needs no text of its own. */
export function ClinicLogo({ url, size = 'small' }: { url: string | null | undefined; size?: 'small' | 'large' }) {
  if (!url) return null
  // The path only: the page may be served under another host than the one in the URL.
  return <img className={classes[size]} src={new URL(url).pathname} alt="" />
}
