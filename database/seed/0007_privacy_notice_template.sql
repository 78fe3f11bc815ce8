-- Version 1 of the template of clinics' privacy notices. Demonstration text: a lawyer reviews it before real patients read it.

insert into privacy_notice_templates (version, body_with_placeholders, placeholders, toggleable_sections) values (1,
jsonb_build_object('en', $text$Privacy notice of {{clinic_name}}
(Demonstration text. To be reviewed by a lawyer before use.)

1. Who is responsible
The controller of your data is {{legal_name}}, {{address}} ("the clinic"). You reach us at {{contact_email}} {{phone}}. Our data protection officer: {{dpo_contact}}.

2. What we keep and why
We keep your name, contact data and date of birth, what you tell us about your health, findings, treatment plans, appointments and what you record in exercise sessions. We need them to examine and treat you, to keep the medical records that the law demands and to bill our services. The basis is Article 6(1)(b) and (c) together with Article 9(2)(h) GDPR: the provision of health care by people bound to secrecy. Your treatment does not rest on consent, and you are not asked to consent to it.

{{section:telerehab_camera}}

{{section:video_consultations}}

{{section:ai_processing}}

{{section:marketing}}

3. Who receives your data
Those at the clinic who treat you or help you with appointments; doctors and laboratories that take part in your treatment; the health insurance and authorities where the law demands it. The operator of this platform processes the data on our behalf and under our instructions. Every opening of your record is logged, and you can read that log in your account.

{{section:transfers_outside_eu}}

4. How long we keep it
We keep medical records for {{retention_years}} years after your last visit, unless the law sets a longer term. What rests on your consent is kept until you withdraw it.

5. Your rights
You may see, correct, export and restrict your data, object to its processing, and have erased what we need not keep by law. Where something rests on your consent you may withdraw it at any time; what was done before stays lawful. Write to {{contact_email}}. You may complain to the National Supervisory Authority for Personal Data Processing (www.dataprotection.ro).$text$, 'ro', $text$Nota de informare a clinicii {{clinic_name}}
(Text demonstrativ. Se verifică de un avocat înainte de folosire.)

1. Cine răspunde
Operatorul datelor dumneavoastră este {{legal_name}}, {{address}} („clinica”). Ne găsiți la {{contact_email}} {{phone}}. Responsabilul nostru cu protecția datelor: {{dpo_contact}}.

2. Ce păstrăm și de ce
Păstrăm numele, datele de contact și data nașterii, ce ne spuneți despre sănătatea dumneavoastră, constatări, planuri de tratament, programări și ce înregistrați în ședințele de exerciții. Avem nevoie de ele ca să vă examinăm și să vă tratăm, ca să ținem evidența medicală cerută de lege și ca să ne facturăm serviciile. Temeiul este articolul 6 alineatul (1) literele (b) și (c), împreună cu articolul 9 alineatul (2) litera (h) din RGPD: acordarea de asistență medicală de către persoane obligate la secret. Tratamentul dumneavoastră nu se bazează pe consimțământ și nu vi se cere consimțământul pentru el.

{{section:telerehab_camera}}

{{section:video_consultations}}

{{section:ai_processing}}

{{section:marketing}}

3. Cine primește datele
Cei din clinică ce vă tratează sau vă ajută cu programările; medicii și laboratoarele care iau parte la tratament; casa de asigurări și autoritățile, acolo unde legea o cere. Operatorul acestei platforme prelucrează datele în numele nostru și după instrucțiunile noastre. Fiecare deschidere a dosarului dumneavoastră este înregistrată, iar jurnalul se poate citi din contul dumneavoastră.

{{section:transfers_outside_eu}}

4. Cât timp le păstrăm
Păstrăm dosarele medicale {{retention_years}} ani de la ultima vizită, dacă legea nu prevede un termen mai lung. Ce se bazează pe consimțământul dumneavoastră se păstrează până îl retrageți.

5. Drepturile dumneavoastră
Puteți vedea, corecta, exporta și restricționa datele, vă puteți opune prelucrării și puteți cere ștergerea a ceea ce nu trebuie să păstrăm prin lege. Unde ceva se bazează pe consimțământ, îl puteți retrage oricând; ce s-a făcut înainte rămâne legal. Scrieți la {{contact_email}}. Puteți depune plângere la Autoritatea Națională de Supraveghere a Prelucrării Datelor cu Caracter Personal (www.dataprotection.ro).$text$),
'[
  {"key": "clinic_name", "required": true, "label": {"en": "Name of the clinic", "ro": "Numele clinicii"}},
  {"key": "legal_name", "required": true, "label": {"en": "Legal name of the company", "ro": "Denumirea juridică a firmei"}},
  {"key": "address", "required": true, "label": {"en": "Postal address", "ro": "Adresa poștală"}},
  {"key": "contact_email", "required": true, "label": {"en": "E-mail address for questions", "ro": "Adresa de e-mail pentru întrebări"}},
  {"key": "phone", "required": false, "label": {"en": "Telephone number", "ro": "Numărul de telefon"}},
  {"key": "dpo_contact", "required": true, "label": {"en": "Data protection officer: name and contact", "ro": "Responsabilul cu protecția datelor: nume și contact"}},
  {"key": "retention_years", "required": true, "label": {"en": "Years that medical records are kept", "ro": "Anii de păstrare a dosarelor medicale"}},
  {"key": "transfer_countries", "required": true, "label": {"en": "Countries outside the EU that receive data", "ro": "Țările din afara UE care primesc date"}}
]',
jsonb_build_array(
  jsonb_build_object('key', 'telerehab_camera', 'default', true,
    'name', '{"en": "Exercise at home with camera measurement", "ro": "Exerciții acasă cu măsurare prin cameră"}'::jsonb,
    'body', jsonb_build_object('en', $text$Exercise at home. If you agree, you exercise at home through this platform, and the camera of your device measures your movement. The picture is evaluated on your device and never leaves it; we receive positions of joints, and from them repetitions and range of motion. The basis is your consent (Article 9(2)(a) GDPR).$text$,
      'ro', $text$Exerciții acasă. Dacă sunteți de acord, faceți exerciții acasă prin această platformă, iar aparatul de filmat al dispozitivului vă măsoară mișcarea. Imaginea este evaluată pe dispozitivul dumneavoastră și nu îl părăsește niciodată; noi primim pozițiile articulațiilor și, din ele, repetările și amplitudinea mișcării. Temeiul este consimțământul dumneavoastră (articolul 9 alineatul (2) litera (a) din RGPD).$text$)),
  jsonb_build_object('key', 'video_consultations', 'default', false,
    'name', '{"en": "Video consultations", "ro": "Consultații video"}'::jsonb,
    'body', jsonb_build_object('en', $text$Video consultations. If you agree, we talk to you by video. Sound and picture are encrypted on the way and are recorded only if you agree to that apart; a recording becomes part of your medical record.$text$,
      'ro', $text$Consultații video. Dacă sunteți de acord, discutăm cu dumneavoastră prin video. Sunetul și imaginea sunt criptate pe drum și sunt înregistrate numai dacă sunteți de acord separat; o înregistrare devine parte a dosarului dumneavoastră medical.$text$)),
  jsonb_build_object('key', 'ai_processing', 'default', false,
    'name', '{"en": "Processing by AI", "ro": "Prelucrare prin inteligență artificială"}'::jsonb,
    'body', jsonb_build_object('en', $text$Automated systems. If you agree, automated systems evaluate your data to support those who treat you. They decide nothing: a human decides about your treatment in every case.$text$,
      'ro', $text$Sisteme automate. Dacă sunteți de acord, sisteme automate evaluează datele dumneavoastră pentru a-i sprijini pe cei care vă tratează. Ele nu decid nimic: despre tratament decide de fiecare dată un om.$text$)),
  jsonb_build_object('key', 'marketing', 'default', false,
    'name', '{"en": "News and offers", "ro": "Noutăți și oferte"}'::jsonb,
    'body', jsonb_build_object('en', $text$News and offers. If you agree, we send you news and offers by e-mail or SMS. Your health data is not used to choose them. You may withdraw your consent in your account or by a reply to any such message.$text$,
      'ro', $text$Noutăți și oferte. Dacă sunteți de acord, vă trimitem noutăți și oferte prin e-mail sau SMS. Datele despre sănătate nu sunt folosite pentru alegerea lor. Puteți retrage acordul din contul dumneavoastră sau răspunzând la orice astfel de mesaj.$text$)),
  jsonb_build_object('key', 'transfers_outside_eu', 'default', false,
    'name', '{"en": "Transfers outside the EU", "ro": "Transferuri în afara UE"}'::jsonb,
    'body', jsonb_build_object('en', $text$Transfers outside the European Economic Area. Some of our providers work in {{transfer_countries}}. The transfer rests on an adequacy decision or on the standard contractual clauses of the European Commission; you may ask us for a copy.$text$,
      'ro', $text$Transferuri în afara Spațiului Economic European. Unii dintre furnizorii noștri lucrează în {{transfer_countries}}. Transferul se bazează pe o decizie privind caracterul adecvat sau pe clauzele contractuale standard ale Comisiei Europene; ne puteți cere o copie.$text$))))
on conflict (version) do nothing;
