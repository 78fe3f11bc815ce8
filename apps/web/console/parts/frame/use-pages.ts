import type { ComponentType } from 'react'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import type { IconProps } from '#ui/icons/icon.tsx'
import {
  IconActivity,
  IconBriefcase,
  IconCalendar,
  IconClock,
  IconFileText,
  IconHome,
  IconSettings,
  IconStretching,
  IconUsers,
} from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { type ConsolePage, type PagePath, type pages, pagesFor } from '../../pages.ts'

const PAGE_ICONS: Record<(typeof pages)[number]['icon'], ComponentType<IconProps>> = {
  activity: IconActivity,
  briefcase: IconBriefcase,
  calendar: IconCalendar,
  clock: IconClock,
  notice: IconFileText,
  home: IconHome,
  settings: IconSettings,
  stretching: IconStretching,
  users: IconUsers,
}

export interface PageOffered extends Pick<ConsolePage, 'group' | 'keys'> {
  path: PagePath
  label: string
  icon: ComponentType<IconProps>
}

/** The pages that the person may open here, with their names. */
export function usePages(): readonly PageOffered[] {
  const may = useMay()
  const { language } = useLanguage()
  return pagesFor(may).map(({ words, icon, ...page }) => ({
    ...page,
    label: words[language],
    icon: PAGE_ICONS[icon],
  }))
}
