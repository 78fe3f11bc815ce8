import { Link, type LinkProps } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import type { IconProps } from '../icons/icon.tsx'
import { IconDots } from '../icons/index.ts'
import classes from './frame.module.css'

export interface NavItem {
  link: LinkProps
  label: string
  icon: ComponentType<IconProps>
  /** Only this exact URL makes the item the current one. */
  exact?: boolean
  /** Items of another group stand apart. */
  group?: string
  /** Whether it is in the bar at the bottom of a phone. The others are under "More" there. */
  inBar?: boolean
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
  const menu = useId()
  const others = nav.filter(({ inBar = true }) => !inBar)
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
          {nav.map((item, index) => (
            <li
              key={item.label}
              className={item.inBar === false ? classes.outsideBar : undefined}
              data-first={item.group !== undefined && item.group !== (nav[index - 1] ?? item).group}
            >
              <NavLink {...item} />
            </li>
          ))}
          {others.length > 0 && (
            <li className={classes.more}>
              <button type="button" className={classes.link} popoverTarget={menu}>
                <IconDots size={22} />
                <span>{t('more')}</span>
              </button>
            </li>
          )}
        </ul>
        <div id={menu} popover="auto" className={classes.others}>
          <ul>
            {others.map((item) => (
              <li key={item.label}>
                <NavLink {...item} onClick={() => document.getElementById(menu)?.hidePopover()} />
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.column}>{children}</div>
      </main>
    </div>
  )
}

function NavLink({ link, label, icon: Icon, exact = false, onClick }: NavItem & { onClick?: () => void }) {
  return (
    <Link {...link} className={classes.link} activeOptions={{ exact }} onClick={onClick}>
      <Icon size={22} />
      <span>{label}</span>
    </Link>
  )
}
