import { useTranslations } from 'use-intl'
import type { Marker } from './markers.ts'

export function useMarkerText(): (marker: Marker) => string {
  const t = useTranslations('console.review')
  return (marker) => {
    if (marker.kind === 'pain') {
      const text = t('markers.pain', { severity: marker.severity, action: t(`actions.${marker.action}`) })
      const signs = marker.warning_signs.map((sign) => t(`warningSigns.${sign}`))
      const warning = signs.length === 0 ? [] : [t('warning', { signs: signs.join(', ') })]
      return [...warning, text, ...(marker.note === null ? [] : [marker.note])].join(' · ')
    }
    if (marker.kind === 'pause' || marker.kind === 'buffering')
      return t(`markers.${marker.kind}`, { seconds: marker.seconds })
    return t(`markers.${marker.kind}`, { name: marker.name })
  }
}

/** Minutes, seconds and tenths: "1:05.3". */
export function timeText(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100)
  const minutes = Math.floor(tenths / 600)
  return `${minutes}:${String(Math.floor((tenths % 600) / 10)).padStart(2, '0')}.${tenths % 10}`
}
