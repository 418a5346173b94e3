import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and its self-signed certificate for a host name. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** Makes a self-signed certificate for `host`, which is valid for many years. */
export function selfSigned(host: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const name = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(host)))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const alternative = der(0x04, sequence(der(0x82, Buffer.from(host))));
  const extensions = der(0xa3, sequence(sequence(Buffer.from('0603551d11', 'hex'), alternative)));
  const version = der(0xa0, Buffer.from('020102', 'hex'));
  const serial = Buffer.from('02024242', 'hex');
  const publicPart = publicKey.export({ type: 'spki', format: 'der' });
  const content = sequence(version, serial, algorithm, name, validity, name, publicPart, extensions);
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]));
  const cert = sequence(content, algorithm, signature).toString('base64');
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} CERTIFICATE-----`);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `${begin}\n${cert.replace(/.{64}/g, '$&\n')}\n${end}\n`,
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
