import { type LinkProps, linkOptions } from '@tanstack/react-router'
import type { ApiError } from '@tendon/sdk'
import { type ComponentType, useEffect, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import type { IconProps } from '#ui/icons/icon.tsx'
import { IconStretching, IconUserPlus, IconUsers } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { findsAll } from './finds-all.ts'
import { usePages } from './use-pages.ts'
import { useRecentPatients } from './use-recent-patients.ts'

export interface Hit {
  key: string
  kind: 'recent' | 'patients' | 'actions' | 'pages' | 'exercises'
  label: string
  /** Tells people of the same name apart. */
  detail?: string
  icon: ComponentType<IconProps>
  keys?: readonly string[]
  link: LinkProps
}

interface Hits {
  hits: readonly Hit[]
  /** Whether they are those of the text: false while the search is under way. */
  isCurrent: boolean
  error: ApiError | null
}

const WAIT_MS = 120
const MIN_CHARACTERS = 2

/** What the text finds; without a text, where the person was and may go. */
export function useHits(text: string): Hits {
  const wanted = text.trim()
  const q = useLater(wanted)
  const isSearched = q.length >= MIN_CHARACTERS
  const search = useRead('GET /v1/search', { query: { q } }, { enabled: isSearched, keepPrevious: true })
  const found = useFound(isSearched ? search.data?.data : undefined)
  const places = usePlaces()
  const recent = useRecent()
  if (wanted.length < MIN_CHARACTERS)
    return { hits: wanted === '' ? [...recent, ...places] : matching(places, wanted), isCurrent: true, error: null }
  return {
    hits: [...found.patients, ...matching(places, wanted), ...found.exercises],
    isCurrent: q === wanted && !search.isPlaceholderData && (search.isSuccess || search.isError),
    error: q === wanted ? search.error : null,
  }
}

const matching = (hits: readonly Hit[], text: string) => hits.filter(({ label }) => findsAll(label, text))

function useLater(text: string): string {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return later
}

/** What there is to do, and the pages. */
function usePlaces(): readonly Hit[] {
  const t = useTranslations('console.palette')
  const may = useMay()
  const { slug } = useClinic()
  const params = { clinic: slug }
  const add: Hit = {
    key: 'new-patient',
    kind: 'actions',
    label: t('newPatient'),
    icon: IconUserPlus,
    link: linkOptions({ to: '/$clinic/patients', params, search: { new: 'yes' } }),
  }
  const pages = usePages().map(
    ({ path, label, icon, keys }): Hit => ({
      key: path.replaceAll(/\W+/g, '-'),
      kind: 'pages',
      label,
      icon,
      link: linkOptions({ to: path, params }),
      ...(keys && { keys }),
    }),
  )
  return [...(may('patients.onboard') ? [add] : []), ...pages]
}

function useRecent(): readonly Hit[] {
  const { slug } = useClinic()
  return useRecentPatients().map(({ id, name }) => ({
    key: id,
    kind: 'recent',
    label: name,
    icon: IconUsers,
    link: linkOptions({ to: '/$clinic/patients/$id', params: { clinic: slug, id } }),
  }))
}

interface Found {
  patients: readonly { id: string; name: string; birth_date: string | null; phone_tail: string | null }[]
  exercises: readonly { id: string; name: string }[]
}

const NOTHING: Found = { patients: [], exercises: [] }

function useFound({ patients, exercises }: Found = NOTHING): { patients: Hit[]; exercises: Hit[] } {
  const { slug } = useClinic()
  const format = useFormatter()
  const may = useMay()
  const dayOf = (day: string) => format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' })
  return {
    patients: patients.map(({ id, name, birth_date, phone_tail }) => ({
      key: id,
      kind: 'patients',
      label: name,
      detail: [birth_date && dayOf(birth_date), phone_tail && `… ${phone_tail}`].filter(Boolean).join(' · '),
      icon: IconUsers,
      link: linkOptions({ to: '/$clinic/patients/$id', params: { clinic: slug, id } }),
    })),
    exercises: (may('exercises.manage_org') ? exercises : []).map(({ id, name }) => ({
      key: id,
      kind: 'exercises',
      label: name,
      icon: IconStretching,
      link: linkOptions({
        to: '/$clinic/settings/exercises/$exerciseId',
        params: { clinic: slug, exerciseId: id },
      }),
    })),
  }
}
