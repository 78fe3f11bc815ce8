import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { IconProps } from '../icons/icon.tsx'
import classes from './frame.module.css'

export interface NavItem {
  link: LinkProps
  label: string
  icon: ComponentType<IconProps>
  /** Only this exact URL makes the item the current one. */
  exact?: boolean
}

export interface FrameProps {
  /** The clinic's name, or the app's. */
  title: ReactNode
  nav: readonly NavItem[]
  /** One column, for reading on a phone. */
  narrow?: boolean
  /** Top right: the signed-in person. */
  account: ReactNode
  children: ReactNode
}

/** Header, pages and content: the same in all three apps. */
export function Frame({ title, nav, narrow = false, account, children }: FrameProps) {
  const t = useTranslations('ui.frame')
  return (
    <div className={narrow ? `${classes.frame} ${classes.narrow}` : classes.frame}>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <header className={classes.header}>
        <div className={classes.clinic}>{title}</div>
        {account}
      </header>
      <nav className={classes.nav} aria-label={t('navigation')}>
        <ul>
          {nav.map(({ link, label, icon: Icon, exact }) => (
            <li key={label}>
              <Link {...link} className={classes.link} activeOptions={{ exact: exact ?? false }}>
                <Icon size={22} />
                <span>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.column}>{children}</div>
      </main>
    </div>
  )
}
