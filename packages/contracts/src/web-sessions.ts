import { type Static, Type } from 'typebox'
import { Body, Email, Enum, Id, Nullable, Timestamp } from './shapes.ts'

export const WEB_APPS = ['console', 'portal', 'platform'] as const
export type WebApp = (typeof WEB_APPS)[number]

export const WebSession = Type.Object({
  id: Id,
  app: Enum(WEB_APPS, 'portal'),
  ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
  user_agent: Nullable(Type.String({ examples: ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0'] })),
  created_at: Timestamp,
  /** To the minute. */
  seen_at: Timestamp,
  /** When it ends unless it is used before, and at the latest. */
  expires_at: Timestamp,
  current: Type.Boolean({ examples: [true], description: 'The session of this request' }),
})
export type WebSession = Static<typeof WebSession>

export const WebSessions = Type.Object({ data: Type.Array(WebSession) })

export const WebSessionParams = Type.Object({ id: Id })

export const SignInQuery = Type.Object({
  app: Enum(WEB_APPS, 'portal'),
  to: Type.Optional(Type.String({ maxLength: 2_000, examples: ['/portal/mladita'] })),
})

/** The address is in no URL of ours, because proxies log URLs. */
export const SignInStart = Body({
  ...SignInQuery.properties,
  login_hint: Email,
  language: Type.Optional(Enum(['en', 'ro'], 'ro')),
})

export const SignInLocation = Type.Object({
  location: Type.String({
    description: 'Where the browser signs in at the identity provider',
    examples: ['https://id.example/authorize?client_id=tendon-web'],
  }),
})

export const SignInCallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4_000, examples: ['vN3kZ0c…'] })),
  state: Type.Optional(Type.String({ maxLength: 200, examples: ['portal.5Jt0…'] })),
  error: Type.Optional(Type.String({ maxLength: 200, examples: ['access_denied'] })),
  iss: Type.Optional(Type.String({ maxLength: 500, examples: ['https://id.example'] })),
})

export const SignedOut = Type.Object({
  location: Nullable(
    Type.String({
      description: 'Where the browser goes to sign out at the identity provider too',
      examples: ['/portal/'],
    }),
  ),
})
