import { describe, expect, it } from 'vitest';
import { parseLabelAddress, parseTypedPetId, readLabelText } from '../src/shared/pet-id.js';

const us = "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./";
const usShift = '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?';

/** What the same keys type in other layouts, without and with Shift. */
const layouts: Record<string, [plain: string, shifted: string]> = {
  US: [us, usShift],
  Germany: ['^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-', '°!"§$%&/()=?`QWERTZUIOPÜ*\'ASDFGHJKLÖÄYXCVBNM;:_'],
  France: ['²&é"\'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!', '³1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§'],
  Belgium: ['²&é"\'(§è!çà)-azertyuiop^$µqsdfghjklmùwxcvbn,;:=', '³1234567890°_AZERTYUIOP¨*£QSDFGHJKLM%WXCVBN?./+'],
  Switzerland: ["§1234567890'^qwertzuiopü¨$asdfghjklöäyxcvbnm,.-", '°+"*ç%&/()=?`QWERTZUIOPè!£ASDFGHJKLéàYXCVBNM;:_'],
  Czechia: [';+ěščřžýáíé=´qwertzuiopú)¨asdfghjklů§yxcvbnm,.-', '°1234567890%ˇQWERTZUIOP/(\'ASDFGHJKL"!YXCVBNM?:_'],
  Spain: ["º1234567890'¡qwertyuiop`+çasdfghjklñ´zxcvbnm,.-", 'ª!"·$%&/()=?¿QWERTYUIOP^*ÇASDFGHJKLÑ¨ZXCVBNM;:_'],
  Russia: ['ё1234567890-=йцукенгшщзхъ\\фывапролджэячсмитьбю.', 'Ё!"№;%:?*()_+ЙЦУКЕНГШЩЗХЪ/ФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,'],
  Greece: ["`1234567890-=;ςερτυθιοπ[]\\ασδφγηξκλ΄'ζχψωβνμ,./", '~!@#$%^&*()_+:΅ΕΡΤΥΘΙΟΠ{}|ΑΣΔΦΓΗΞΚΛ¨"ΖΧΨΩΒΝΜ<>?'],
  Dvorak: ["`1234567890[]',.pyfgcrl/=\\aoeuidhtns-;qjkxbmwvz", '~!@#$%^&*(){}"<>PYFGCRL?+|AOEUIDHTNS_:QJKXBMWVZ'],
  Hungary: ['0123456789öüóqwertzuiopőúűasdfghjkléáyxcvbnm,.-', '§\'"+!%/=()ÖÜÓQWERTZUIOPŐÚŰASDFGHJKLÉÁYXCVBNM?:_'],
  'Turkey, F': ['+1234567890/-fgğıodrnhpqwxuieaütkmlyşjövcçzsb.,', '*!"^$%&\'()=?_FGĞIODRNHPQWXUİEAÜTKMLYŞJÖVCÇZSB:;'],
  Turkey: ['"1234567890*-qwertyuıopğü,asdfghjklşizxcvbnmöç.', "é!'^+%&/()=?_QWERTYUIOPĞÜ;ASDFGHJKLŞİZXCVBNMÖÇ:"],
};

/** The text of a scanner with a US layout on a computer with another one. */
function typed(text: string, layout: string): string {
  const [plain, shifted] = layouts[layout] ?? [us, usShift];
  return [...text]
    .map((character) => {
      const key = us.indexOf(character);
      return key === -1 ? (shifted[usShift.indexOf(character)] ?? '') : (plain[key] ?? '');
    })
    .join('');
}

const invertedCase = (text: string) =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

describe.each(Object.keys(layouts))('a label that is typed with the layout of %s', (layout) => {
  it.each([
    ['http://petstore/pets/2', 2n],
    ['https://192.168.1.20:3000/pets/1047', 1047n],
    ['http://localhost:3000/pets/9876543210', 9_876_543_210n],
    ['HTTP://PETSTORE/PETS/35', 35n],
    ['HTTP://PETSTORE:3000/PETS/20', 20n],
  ])('%s opens its animal, also with Caps Lock', (address, id) => {
    for (const text of [typed(address, layout), invertedCase(typed(address, layout))]) {
      expect([text, parseTypedPetId(text)]).toEqual([text, id]);
    }
  });
});

describe('the text of a label', () => {
  it.each([
    'http:§§petstore§pets§2',
    'HTTP:§§PETSTORE§PETS§2',
    'httpM!!petstore!pets!é',
    'httpö--petstore-pets-2',
    'httpö--petstore-pets-2-',
    'httppetstorepets2',
    'Rexhttp:§§petstore§pets§2',
    'Rex http:§§petstore§pets§2',
  ])('is recognized in %s', (text) => expect(parseLabelAddress(text)).toBe(2n));

  it.each(['Rex', 'Rex 2', 'Hippos pets 2', '2024', 'Mississippi 12', 'Http', 'Pets 7', 'Otto--Anna-1', 'aabbaa 1'])(
    'is not found in the name %s',
    (name) => expect(readLabelText(name)).toBeUndefined(),
  );
});
