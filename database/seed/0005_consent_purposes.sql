insert into consent_purposes (code, scope, name, description, legal_basis) values
  ('platform_terms', 'platform', 'Terms of the platform', 'The agreement between you and the operator of the platform.', 'contract'),
  ('platform_privacy_notice', 'platform', 'Privacy notice of the platform', 'How the operator of the platform treats your account.', 'legitimate_interest'),
  ('org_terms', 'org', 'Terms of the clinic', 'The agreement between you and your clinic.', 'contract'),
  ('org_privacy_notice', 'org', 'Privacy notice of the clinic', 'How your clinic treats your data.', 'legal_obligation'),
  ('marketing_email', 'org', 'News by e-mail', 'News and offers of your clinic by e-mail.', 'consent'),
  ('marketing_sms', 'org', 'News by SMS', 'News and offers of your clinic by SMS.', 'consent'),
  ('analytics', 'org', 'Web analytics', 'Optional statistics about how you use the portal.', 'consent'),
  ('ai_processing', 'org', 'Processing by AI', 'Use of your data by automated systems to support your care.', 'consent'),
  ('telemedicine', 'org', 'Telemedicine', 'Consultations by video.', 'consent'),
  ('video_recording', 'org', 'Video recording', 'Recording of video consultations.', 'consent'),
  ('biometric_capture', 'org', 'Camera measurement', 'Measurement of your movement by camera during exercise.', 'consent'),
  ('telerehab', 'org', 'Exercise at home', 'Exercise sessions at home, recorded for your clinic.', 'consent')
  on conflict (code) do update set name = excluded.name, description = excluded.description;

update consent_purposes p set translations = jsonb_build_object('ro', jsonb_build_object('name', t.name, 'description', t.description))
  from (values
    ('platform_terms', 'Termenii platformei', 'Acordul dintre dumneavoastră și operatorul platformei.'),
    ('platform_privacy_notice', 'Nota de informare a platformei', 'Cum prelucrează operatorul platformei datele contului dumneavoastră.'),
    ('org_terms', 'Termenii clinicii', 'Acordul dintre dumneavoastră și clinică.'),
    ('org_privacy_notice', 'Nota de informare a clinicii', 'Cum prelucrează clinica datele dumneavoastră.'),
    ('marketing_email', 'Noutăți prin e-mail', 'Noutăți și oferte ale clinicii, prin e-mail.'),
    ('marketing_sms', 'Noutăți prin SMS', 'Noutăți și oferte ale clinicii, prin SMS.'),
    ('analytics', 'Statistici de utilizare', 'Statistici opționale despre cum folosiți portalul.'),
    ('ai_processing', 'Prelucrare cu inteligență artificială', 'Folosirea datelor dumneavoastră de către sisteme automate, în sprijinul îngrijirii.'),
    ('telemedicine', 'Telemedicină', 'Consultații video.'),
    ('video_recording', 'Înregistrare video', 'Înregistrarea consultațiilor video.'),
    ('biometric_capture', 'Măsurare cu camera', 'Măsurarea mișcărilor dumneavoastră cu camera, în timpul exercițiilor.'),
    ('telerehab', 'Exerciții acasă', 'Ședințe de exerciții acasă, înregistrate pentru clinică.')
  ) t (code, name, description) where t.code = p.code;
