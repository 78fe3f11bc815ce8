import { useRead } from '#ui/api/hooks.ts'
import { useBrand } from '#ui/brand.ts'
import classes from './branding.module.css'

const FRESH_MS = 300_000

/** Name, logo and colour of a clinic. Also applies the colour to the page. */
export function useBranding(slug: string) {
  const query = useRead(
    'GET /v1/public/organizations/{slug}/branding',
    { params: { slug } },
    { staleTime: FRESH_MS, enabled: slug !== '' },
  )
  useBrand(query.data?.data.brand_color)
  return query
}

/** The picture has an empty text alternative, because the name is next to it. */
export function ClinicLogo({ url, size = 'small' }: { url: string | null | undefined; size?: 'small' | 'large' }) {
  if (!url) return null
  // Use only the path, because the page may have another host than the URL.
  return <img className={classes[size]} src={new URL(url).pathname} alt="" />
}
