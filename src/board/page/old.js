// Reports that the browser cannot run the page if it cannot even read the modules. So this is no
// module, uses only what browsers of 2010 understand, and contains its own words.

(function () {
  /** By language code. @type {Record<string, string>} */
  var texts = {
    en: "The board could not be started: this browser is too old for it, or a file of the page is missing.",
    zh: "无法启动棋盘：此浏览器太旧，或者缺少页面的文件。",
    ja: "盤を起動できませんでした。このブラウザーが古すぎるか、ページのファイルが欠けています。",
    ko: "판을 시작할 수 없습니다. 이 브라우저가 너무 오래되었거나 페이지의 파일이 없습니다.",
    ru: "Доску не удалось запустить: этот браузер слишком стар для неё, или не хватает файла страницы.",
    vi: "Không khởi động được bàn cờ: trình duyệt này quá cũ, hoặc thiếu một tệp của trang.",
    et: "Lauda ei saanud käivitada: see veebilehitseja on selle jaoks liiga vana või lehe mõni fail puudub.",
    cs: "Desku se nepodařilo spustit: tento prohlížeč je pro ni příliš starý, nebo chybí soubor stránky.",
  };

  window.addEventListener("load", function () {
    var menu = document.getElementById("menu");
    var status = document.getElementById("status");
    // The modules have run by now, and the last thing they do is to fill the menu.
    if (status && menu && !menu.firstChild) {
      var code = (navigator.language || "en").slice(0, 2);
      status.lang = texts.hasOwnProperty(code) ? code : "en";
      status.textContent = texts[status.lang];
    }
  });
})();
