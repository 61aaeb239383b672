// What asbplayer's class imports beside itself, as far as it uses it.
export const MediaFragment: any = {};
export const AudioClip: any = {};
export const extractText = (subtitle: any) => subtitle.text;
export const sourceString = (name: string) => name;
export const fromBatches = async (items: any[], give: any, options: any) => {
    const all = [];
    for (let at = 0; at < items.length; at += options.batchSize) {
        all.push(await give(items.slice(at, at + options.batchSize)));
    }
    return all;
};
export class HttpFetcher {
    async fetch(url: string, body: any) {
        return await (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: {} })).json();
    }
}
export default (name: string) => name;
