const APPS = ['console', 'portal', 'platform'] as const
export type AppName = (typeof APPS)[number]

/** The app of this page: each is served under its own name. */
export const appName = (): AppName => APPS.find((app) => location.pathname.startsWith(`/${app}`)) ?? 'console'
