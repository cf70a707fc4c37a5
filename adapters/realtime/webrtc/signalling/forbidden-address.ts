import { BlockList, isIPv6 } from 'node:net';

const listOf = (...ranges: ReadonlyArray<readonly [address: string, prefix: number]>): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  return list;
};

/** Rules for IPv4 hold for the same address in the form `::ffff:0:0/96`, too. */
const forbidden: ReadonlyArray<readonly [what: string, list: BlockList]> = [
  ['a loopback address', listOf(['127.0.0.0', 8], ['::1', 128])],
  ['an unspecified address', listOf(['0.0.0.0', 8], ['::', 128])],
  /* Also what clouds put outside of the link-local range. */
  [
    'the address of a metadata service',
    listOf(
      ['169.254.169.254', 32],
      ['fd00:ec2::254', 128],
      ['fd20:ce::254', 128],
      ['100.100.100.200', 32],
      ['192.0.0.192', 32],
      ['168.63.129.16', 32],
    ),
  ],
  ['a link-local address', listOf(['169.254.0.0', 16], ['fe80::', 10])],
  ['a multicast address', listOf(['224.0.0.0', 4], ['ff00::', 8])],
  ['a broadcast or reserved address', listOf(['240.0.0.0', 4])],
  /* A gateway or tunnel would take these to any IPv4 address. */
  [
    'an IPv6 address that stands for one of IPv4',
    listOf(['::', 96], ['64:ff9b::', 96], ['64:ff9b:1::', 48], ['2002::', 16]),
  ],
];

/** Where a client may not let the service send packets, in words; null for any other address. `address` is an IP address. */
export const forbiddenAddress = (address: string, allowsLoopback: boolean): string | null => {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const [what] = forbidden.find(([, list]) => list.check(address, family)) ?? [null];
  return what === 'a loopback address' && allowsLoopback ? null : what;
};
